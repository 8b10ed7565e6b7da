#include "answer.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>

#include <nlohmann/json.hpp>

#include "arrays.hpp"
#include "frictionbench/results/document/json.hpp"
#include "json.hpp"

namespace frictionbench::python {

namespace {

constexpr const char* verdict_text =
    R"doc(What an impulse is worth, computed from the impulse alone.

Members of residuals, solved_under and states have the names and units of results files
(results/README.md): residuals['ncp']['relative'], solved_under['ccp']['absolute'], states['sliding'].
What is not finite is None.)doc";

constexpr const char* answer_text = R"doc(What a solver answered, and what that is worth.

Whatever the solver says, `solved` is the verdict.)doc";

template <typename Enum>
std::string text_of_enum(Enum value) {
  return std::string(name(value));
}

py::object member(const results::Record& record, const char* name) {
  return object_from(results::to_json(record).at(name));
}

std::string criterion_text(const results::JudgeSettings& settings) {
  return fmt::format("{} ({}) at {:g}", name(settings.criterion), name(settings.scale),
                     settings.tolerance);
}

double residual_of(const results::JudgeSettings& settings, ContactModel model,
                   const results::Record& record) {
  return results::residual_under(settings.criterion, settings.scale, model, record);
}

std::string outcome_text(const Verdict& verdict) {
  return fmt::format("{} under {}, residual {:.3g}", verdict.solved() ? "solved" : "not solved",
                     criterion_text(verdict.settings),
                     residual_of(verdict.settings, verdict.model, verdict.record));
}

std::optional<Verdict> verdict_of(const Answer& answer) {
  if (!answer.record().verdict) return std::nullopt;
  return Verdict{answer.settings, answer.model, answer.record()};
}

std::string description(const Answer& answer) {
  const results::Record& record = answer.record();
  const auto verdict = verdict_of(answer);
  return fmt::format("<frictionbench.Answer: {}, {} after {} iterations{}, {}>", record.solver,
                     name(record.status), record.iterations,
                     record.message.empty() ? "" : " (" + record.message + ")",
                     verdict ? outcome_text(*verdict) : "no impulse");
}

py::object record_object(const Answer& answer) {
  nlohmann::json json = results::to_json(answer.record());
  if (answer.starts_from_array) json["start"] = nullptr;
  return object_from(json);
}

py::object impulses(const Answer& answer) {
  const Vector& r = answer.measurement.answer.r;
  if (!answer.record().verdict) return py::none();
  return by_contact(answer.problem, array_of(r));
}

py::object velocities(const Answer& answer) {
  if (!answer.record().verdict) return py::none();
  return by_contact(answer.problem,
                    array_of(answer.problem.contact_velocity(answer.measurement.answer.r)));
}

py::object generalized_velocity(const Answer& answer) {
  if (!answer.record().verdict || !answer.problem.global()) return py::none();
  return array_of(answer.problem.generalized_velocity(answer.measurement.answer.r));
}

void add_verdict(py::module_& module) {
  using V = Verdict;
  py::class_<V>(module, "Verdict", verdict_text)
      .def_property_readonly("solved", &V::solved,
                             "whether the impulse solves the problem under the criterion asked for")
      .def_property_readonly(
          "residual", [](const V& v) { return residual_of(v.settings, v.model, v.record); },
          "what the criterion compares with the tolerance")
      .def_property_readonly(
          "criterion", [](const V& v) { return text_of_enum(v.settings.criterion); },
          "'ncp', 'ccp', 'lcp' or 'native'")
      .def_property_readonly(
          "scale", [](const V& v) { return text_of_enum(v.settings.scale); },
          "'relative', 'absolute', 'scaled' or 'force'")
      .def_property_readonly(
          "tolerance", [](const V& v) { return v.settings.tolerance; }, "that was asked for")
      .def_property_readonly(
          "residuals", [](const V& v) { return member(v.record, "verdict"); },
          "dict of every residual, by model and by kind")
      .def_property_readonly(
          "solved_under", [](const V& v) { return member(v.record, "solved"); },
          "dict of bools, by model and scale, at the tolerance")
      .def_property_readonly(
          "states", [](const V& v) { return member(v.record, "states"); },
          "numbers of contacts: dict of sticking, sliding and separated")
      .def_property_readonly(
          "impulse_norm", [](const V& v) { return v.record.verdict->impulse_norm; }, "||r||_2")
      .def(
          "as_dict", [](const V& v) { return object_from(results::verdict_json(v.record)); },
          "as_dict() -> dict\n\nWhat `frictionbench judge --json` prints.")
      .def("__repr__",
           [](const V& v) { return fmt::format("<frictionbench.Verdict: {}>", outcome_text(v)); });
}

}  // namespace

void add_answer(py::module_& module) {
  add_verdict(module);
  using A = Answer;
  py::class_<A>(module, "Answer", answer_text)
      .def_property_readonly(
          "solver", [](const A& a) { return a.record().solver; },
          "the solver's name with the settings that are not default")
      .def_property_readonly(
          "solved",
          [](const A& a) {
            return a.record().solved.under(a.settings.criterion, a.settings.scale);
          },
          "whether the impulse solves the problem under the criterion asked for")
      .def_property_readonly(
          "status", [](const A& a) { return text_of_enum(a.record().status); },
          "how the solve ended: 'converged', 'max_iterations', 'refused', ...")
      .def_property_readonly(
          "message", [](const A& a) { return a.record().message; },
          "one line; '' if there is nothing to say")
      .def_property_readonly(
          "iterations", [](const A& a) { return a.record().iterations; },
          "as the method counts them")
      .def_property_readonly("impulses", &impulses,
                             "r: (contacts, dimension), or flat (m,) if there are other blocks; "
                             "None without an answer")
      .def_property_readonly("velocities", &velocities,
                             "u = W r + R r + q at the contacts, in the shape of impulses")
      .def_property_readonly("generalized_velocity", &generalized_velocity,
                             "v = M^-1 (H r + f), (n,), of a global problem; else None")
      .def_property_readonly("verdict", &verdict_of,
                             "Verdict on the impulse; None without an answer")
      .def_property_readonly(
          "work", [](const A& a) { return member(a.record(), "work"); },
          "dict of counted work, the same on every machine: factorisations, products, sweeps, ...")
      .def_property_readonly(
          "time",
          [](const A& a) -> py::object {
            if (!a.record().time.solve) return py::none();
            return py::float_(a.record().time.solve->median);
          },
          "s, of the solve alone, median of its samples; None if there was none")
      .def_property_readonly(
          "history", [](const A& a) { return member(a.record(), "history"); },
          "with history=True: up to 200 iterations with the residuals of the solver's own test, a "
          "dict "
          "each")
      .def_property_readonly("record", &record_object,
                             "everything, as dict: a record of a results file (results/README.md)")
      .def("__repr__", &description);
}

}  // namespace frictionbench::python
