/// \file
/// Results documents like those of a run, without running anything.
#pragma once

#include "frictionbench/results/document/document.hpp"

namespace frictionbench::test {

/// A record for every pair of `problems` problems ("A/0", "A/1", ...) and `solvers` solvers ("s0",
/// "s1", ...), in plan order. Values differ from member to member; some records have no verdict.
results::Document document(int problems, int solvers);

}  // namespace frictionbench::test
