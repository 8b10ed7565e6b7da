/// \file
/// The classes Verdict and Answer of Python.
#pragma once

#include <pybind11/pybind11.h>

#include <optional>
#include <string>

#include "frictionbench/bench/measure/measure.hpp"
#include "frictionbench/problem/contact_problem.hpp"
#include "frictionbench/results/document/document.hpp"

namespace frictionbench::python {

/// What an impulse is worth.
struct Verdict {
  results::JudgeSettings settings;  ///< that it was judged by
  ContactModel model;               ///< of the solver, for Criterion::native
  results::Record record;           ///< has a verdict

  bool solved() const { return record.solved.under(settings.criterion, settings.scale); }
};

/// What a solver answered.
struct Answer {
  ContactProblem problem;  ///< as it was solved: with the compliance of the settings
  results::JudgeSettings settings;
  ContactModel model;              ///< of the solver
  bench::Measurement measurement;  ///< with ids
  bool starts_from_array = false;  ///< and not from what a results document knows of

  const results::Record& record() const { return measurement.record; }
};

/// Adds the classes.
void add_answer(pybind11::module_& module);

}  // namespace frictionbench::python
