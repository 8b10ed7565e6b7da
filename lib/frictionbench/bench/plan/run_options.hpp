/// \file
#pragma once

#include <string>
#include <vector>

#include "frictionbench/results/document/run_settings.hpp"

namespace frictionbench::bench {

/// How the pairs of a plan are run: the settings that the document records, and where the journal
/// is kept.
struct RunOptions : results::RunSettings {
  std::string journal;   ///< file that keeps finished pieces; empty for none
  bool resume = false;   ///< continue that journal
  std::string added_to;  ///< SHA-256 of the document that its results are joined to; empty for none
  std::string impulses;  ///< file to write the kept answers to, at the end; empty for none
  std::vector<std::string> command;  ///< for the document
};

}  // namespace frictionbench::bench
