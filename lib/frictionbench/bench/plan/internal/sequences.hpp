/// \file
/// Finds problems that are time steps of one simulation, by the names of their files.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "frictionbench/problem/contact_problem.hpp"

namespace frictionbench::bench {

/// What the name of a problem file says about the simulation that it comes from.
struct TimeStep {
  std::string scene;       ///< what is equal in all names of the simulation
  std::uint64_t step = 0;  ///< number of the time step
};

/// Reads names as FCLIB's collection has them, "<scene>-i<iterations>-<contacts>-<step>",
/// "<scene>-ndof-<n>-nc-<contacts>-<step>", "<scene>-i<iterations>-<step>", and those of the
/// project's own scenes, "<scene>-<form>-<contacts>-<step>": the step is the last number, after a
/// hyphen or an underscore. Before it, the number of contacts and the iterations of the solver that
/// wrote the file change from step to step; everything else is the scene. \param name of the file,
/// without folder and extension. \param contacts of the problem. \returns nothing for a name that
/// does not end in such a number.
std::optional<TimeStep> time_step(const std::string& name, Index contacts);

/// A problem of a run, as far as sequences go.
struct SequenceMember {
  std::string path;  ///< ProblemSource::path
  ProblemForm form = ProblemForm::local;
  int dimension = 3;
  Index contacts = 0;
  Index unknowns = 0;       ///< m
  bool identified = false;  ///< ProblemSizes::identified
};

/// The place of a problem in its simulation.
struct SequencePlace {
  std::string sequence;  ///< "<folder of the path>/<scene>"; empty if the name has no time step
  std::optional<std::size_t> previous;  ///< the problem whose answer it can start from
};

/// A place for every problem. A sequence is the problems of one folder, form, dimension and scene,
/// by their time steps. A problem can start from the answer to the one right before it if that is
/// of an earlier step, both have at least one contact, and either both say who their blocks are, or
/// they have the same numbers of contacts and of unknowns.
std::vector<SequencePlace> find_sequences(const std::vector<SequenceMember>& problems);

}  // namespace frictionbench::bench
