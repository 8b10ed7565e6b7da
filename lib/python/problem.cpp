#include "problem.hpp"

#include <fmt/format.h>
#include <pybind11/stl.h>
#include <unistd.h>

#include <cerrno>

#include "frictionbench/bench/plan/problems.hpp"
#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/fclib/writer.hpp"
#include "frictionbench/problem/facts.hpp"
#include "frictionbench/sets/sets.hpp"
#include "options.hpp"

namespace frictionbench::python {

namespace {

constexpr const char* class_text =
    R"doc(Problem(*, mu, W, q, ...) or Problem(*, mu, M, H, f, w, ...)

A time step's contacts: find impulses r in the friction cones, u = W r + R r + q and Coulomb's law.

Components of a contact are in the order normal, tangents: (N, T1, T2), or (N, T) in 2D. m rows in all,
n degrees of freedom. Problems do not change; arrays that they give are read-only views, not copies.

  mu          friction coefficients of the contacts, which come first, each >= 0
  W, q        local form: Delassus matrix (m, m), velocity per impulse; free velocity, m numbers
  M, H, f, w  global form, M v = H r + f, u = H^T v + w: (n, n), (n, m), n and m numbers
  dimension   of space, 2 or 3 (default)
  sets        texts of the blocks behind the contacts, e.g. ['equality(6)', 'interval(0,inf)'], as
              `frictionbench list sets` has them; their rows are in W and q, or H and w, too
  compliance  the diagonal of R >= 0, velocity per impulse, m numbers; None for rigid contacts

Matrices are scipy.sparse ones of any format, or numpy arrays, and are copied once. q, w and compliance
may have a row of components for each contact.

Raises ValueError, one line, if sizes disagree, a value is not finite, or a mu or compliance is negative.)doc";

constexpr const char* read_text = R"doc(read(file) -> Problem

Reads an FCLIB file (HDF5), local or global, as `frictionbench solve` does. Other Python threads run
meanwhile.

  file  a path, or the name of a data set that has one problem

Raises FileNotFoundError, PermissionError, and ValueError, one line that names the file, the dataset in
it and what is wrong, for a file that holds no usable problem.)doc";

constexpr const char* write_text = R"doc(write(file, *, force=False)

Writes an FCLIB file, with the solution and guesses that were read. Raises FileExistsError for a file
that is there already, unless force is True, and OSError if it cannot be written.)doc";

std::vector<SetPointer> sets_from(const py::object& given) {
  std::vector<SetPointer> sets;
  if (given.is_none()) return sets;
  if (py::isinstance<py::str>(given)) throw py::type_error("sets: expected a list of texts");
  for (const py::handle& text : given) try {
      sets.push_back(parse_set(text_from(text, "sets")));
    } catch (const std::invalid_argument& error) {
      throw py::value_error(fmt::format("sets: {}", error.what()));
    }
  return sets;
}

// The one form of which a part is given. Throws py::type_error for others.
ProblemForm form_of(const py::dict& given) {
  const auto has_any = [&](const std::vector<const char*>& names) {
    return std::ranges::any_of(names, [&](auto name) { return !given[name].is_none(); });
  };
  const bool local = has_any({"W", "q"}), global = has_any({"M", "H", "f", "w"});
  const std::vector<const char*> needed =
      global ? std::vector{"M", "H", "f", "w", "mu"} : std::vector{"W", "q", "mu"};
  if (local == global ||
      !std::ranges::all_of(needed, [&](auto name) { return !given[name].is_none(); }))
    throw py::type_error("Problem takes mu with W and q, or mu with M, H, f and w");
  return global ? ProblemForm::global : ProblemForm::local;
}

ContactProblem problem_from(const py::dict& given, int dimension) {
  const ProblemForm form = form_of(given);
  std::vector<SetPointer> sets = sets_from(given["sets"]);
  Vector mu = vector_from(given["mu"], "mu");
  const auto matrix = [&](const char* name) { return matrix_from(given[name], name); };
  const auto rows = [&](const char* name) { return rows_from(given[name], dimension, name); };
  const ContactProblem rigid =
      form == ProblemForm::local
          ? ContactProblem(dimension, std::move(mu), LocalForm{matrix("W"), rows("q")},
                           std::move(sets))
          : ContactProblem(
                dimension, std::move(mu),
                GlobalForm{matrix("M"), matrix("H"), vector_from(given["f"], "f"), rows("w")},
                std::move(sets));
  if (given["compliance"].is_none()) return rigid;
  const Vector R = rows("compliance");
  const py::gil_scoped_release release;  // reduces a global problem
  return rigid.with_compliance(R);
}

std::shared_ptr<Problem> make_problem(const py::kwargs& options) {
  Keywords keywords(options);
  int dimension = 3;
  keywords("dimension", dimension, Field{});
  py::dict given;
  for (const char* name : {"mu", "W", "q", "M", "H", "f", "w", "sets", "compliance"}) {
    const py::object piece = keywords.take(name);
    given[name] = piece ? piece : py::object(py::none());
  }
  keywords.check_all_known();
  return std::make_shared<Problem>(
      Problem{{problem_from(given, dimension), {}, std::nullopt, {}}, "Problem"});
}

// As Python knows the reason why a file cannot be opened; returns if it can.
void raise_if_unreadable(const std::string& path, const char* text) {
  if (access(path.c_str(), R_OK) == 0) return;
  PyObject* const type = errno == ENOENT || errno == ENOTDIR ? PyExc_FileNotFoundError
                         : errno == EACCES                   ? PyExc_PermissionError
                                                             : PyExc_OSError;
  PyErr_SetString(type, text);
  throw py::error_already_set();
}

std::shared_ptr<Problem> read(const py::object& file) {
  std::string path = path_from(file, "file");
  try {
    const py::gil_scoped_release release;
    path = bench::find_problem(path, "read takes one file").path;
    return std::make_shared<Problem>(Problem{fclib::read_problem(path), path});
  } catch (const std::runtime_error& error) {  // SelectionError or FileError
    raise_if_unreadable(path, error.what());
    throw py::value_error(error.what());
  }
}

void write(const Problem& problem, const py::object& file, bool force) {
  const std::string path = path_from(file, "file");
  try {
    const py::gil_scoped_release release;
    fclib::Encoding encoding;
    encoding.existing = force ? Existing::replace : Existing::refuse;
    fclib::write_problem(path, problem.file, encoding);
  } catch (const FileError& error) {
    const bool exists = !force && access(path.c_str(), F_OK) == 0;
    PyErr_SetString(exists ? PyExc_FileExistsError : PyExc_OSError, error.what());
    throw py::error_already_set();
  }
}

// The problem with its local form made.
const ContactProblem& reduced(const Problem& problem) {
  const py::gil_scoped_release release;
  bench::prepared(problem.file.problem, problem.path, {});
  return problem.file.problem;
}

// A piece of the global form, or None.
template <typename Piece>
py::object global_piece(const py::object& self, Piece GlobalForm::*piece) {
  const GlobalForm* global = self.cast<const Problem&>().file.problem.global();
  if (!global) return py::none();
  return view_of(global->*piece, self);
}

py::object state_object(const ContactProblem& problem, const fclib::State& state) {
  py::dict dict;
  const auto add = [&](const char* name, const std::optional<Vector>& values, bool rows) {
    if (!values) return;
    const py::array array = array_of(*values);
    dict[name] = rows && values->size() == problem.unknowns() ? by_contact(problem, array) : array;
  };
  add("r", state.r, true);
  add("u", state.u, true);
  add("v", state.v, false);
  return dict;
}

std::vector<std::string> set_texts(const ContactProblem& problem) {
  std::vector<std::string> texts;
  for (const SetPointer& set : problem.other_sets()) texts.push_back(set->text());
  return texts;
}

py::array contact_velocity(const Problem& problem, const py::object& impulses) {
  const Vector r = rows_of(problem.file.problem, impulses, "impulses");
  const ContactProblem& prepared = reduced(problem);
  return by_contact(prepared, array_of(prepared.contact_velocity(r)));
}

py::array generalized_velocity(const Problem& problem, const py::object& impulses) {
  if (!problem.file.problem.global())
    throw py::value_error(problem.path + ": a local problem has no generalised velocities");
  const Vector r = rows_of(problem.file.problem, impulses, "impulses");
  return array_of(reduced(problem).generalized_velocity(r));
}

std::string description(const Problem& problem) {
  const ContactProblem& p = problem.file.problem;
  const std::string others = p.is_plain() ? "" : fmt::format(", blocks: {}", sets_of(p));
  return fmt::format("<frictionbench.Problem: {}, {}D, {} contacts, {} unknowns{}>", name(p.form()),
                     p.dimension(), p.contacts(), p.unknowns(), others);
}

void add_sizes(py::class_<Problem, std::shared_ptr<Problem>>& type) {
  const auto property = [&](const char* name, auto&& value, const char* text) {
    type.def_property_readonly(
        name, [value](const Problem& self) { return value(self.file.problem); }, text);
  };
  using P = ContactProblem;
  property(
      "form", [](const P& p) { return std::string(name(p.form())); }, "'local' or 'global'");
  property(
      "dimension", [](const P& p) { return p.dimension(); }, "of space, 2 or 3");
  property(
      "contacts", [](const P& p) { return p.contacts(); }, "blocks that have a mu");
  property(
      "unknowns", [](const P& p) { return p.unknowns(); }, "m, rows of all blocks");
  property("sets", set_texts,
           "texts of the blocks behind the friction cones; [] if there are none");
  property(
      "starts",
      [](const P& p) {
        std::vector<Index> starts;
        for (Index i = 0; i <= p.blocks(); ++i) starts.push_back(p.block_start(i));
        return py::array(py::cast(starts));
      },
      "first row of each block, and m");
}

void add_pieces(py::class_<Problem, std::shared_ptr<Problem>>& type) {
  const auto property = [&](const char* name, auto&& value, const char* text) {
    type.def_property_readonly(name, value, text);
  };
  const auto own = [](const py::object& self) -> const Problem& {
    return self.cast<const Problem&>();
  };
  property(
      "W", [=](const py::object& self) { return view_of(reduced(own(self)).rigid_W(), self); },
      "Delassus matrix without the compliance, csr_matrix (m, m), a view; of a global problem "
      "computed once");
  property(
      "q", [=](const py::object& self) { return view_of(reduced(own(self)).local().q, self); },
      "free velocity, (m,), a view");
  property(
      "mu", [=](const py::object& self) { return view_of(own(self).file.problem.mu(), self); },
      "friction coefficients of the friction cones that come first, a view");
  property(
      "M", [](const py::object& self) { return global_piece(self, &GlobalForm::M); },
      "mass matrix, csr_matrix (n, n), a view; None in the local form, as H, f and w");
  property(
      "H", [](const py::object& self) { return global_piece(self, &GlobalForm::H); },
      "transposed contact Jacobian, csr_matrix (n, m), a view");
  property(
      "f", [](const py::object& self) { return global_piece(self, &GlobalForm::f); },
      "right-hand side, (n,), a view");
  property(
      "w", [](const py::object& self) { return global_piece(self, &GlobalForm::w); },
      "velocity that does not come from v, (m,), a view");
  property(
      "compliance",
      [=](const py::object& self) -> py::object {
        const Vector& R = own(self).file.problem.compliance();
        if (R.size() == 0) return py::none();
        return view_of(R, self);
      },
      "diagonal of R, velocity per impulse, (m,), a view; None for rigid contacts");
}

}  // namespace

Vector rows_of(const ContactProblem& problem, const py::handle& array, const char* what) {
  Vector values = rows_from(array, problem.dimension(), what);
  if (values.size() != problem.unknowns())
    throw py::value_error(
        fmt::format("{}: has {} numbers, expected {}: one for each component of "
                    "each contact",
                    what, values.size(), problem.unknowns()));
  return values;
}

void add_problem(py::module_& module) {
  py::class_<Problem, std::shared_ptr<Problem>> type(module, "Problem", class_text);
  type.def(py::init(&make_problem));
  add_sizes(type);
  add_pieces(type);
  type.def_property_readonly(
      "path", [](const Problem& self) { return self.path; },
      "of the file; 'Problem' if it was not read from one");
  type.def_property_readonly(
      "sha256", [](const Problem& self) { return self.file.sha256; },
      "of the file; '' if it was not read from one");
  type.def_property_readonly(
      "title", [](const Problem& self) { return self.file.info.title; }, "that its author gave it");
  type.def_property_readonly(
      "description", [](const Problem& self) { return self.file.info.description; },
      "by its author");
  type.def_property_readonly(
      "solution",
      [](const Problem& self) -> py::object {
        if (!self.file.solution) return py::none();
        return state_object(self.file.problem, *self.file.solution);
      },
      "what the file's author stored, right or wrong: dict of r, u and v; None without");
  type.def_property_readonly(
      "guesses",
      [](const Problem& self) {
        py::list guesses;
        for (const fclib::State& guess : self.file.guesses)
          guesses.append(state_object(self.file.problem, guess));
        return guesses;
      },
      "as solution");
  type.def("contact_velocity", &contact_velocity, py::arg("impulses"),
           "contact_velocity(impulses) -> array\n\nu = W r + R r + q, in the shape of impulses of "
           "an answer.");
  type.def("generalized_velocity", &generalized_velocity, py::arg("impulses"),
           "generalized_velocity(impulses) -> array\n\nv = M^-1 (H r + f), (n,). Raises ValueError "
           "for a local problem.");
  type.def("write", &write, py::arg("file"), py::kw_only(), py::arg("force") = false, write_text);
  type.def("__repr__", &description);
  module.def("read", &read, py::arg("file"), read_text);
}

}  // namespace frictionbench::python
