/// \file
/// Statistics of paired measurements, and of many tests at the same time.
#pragma once

#include <vector>

#include "frictionbench/results/document/statistics.hpp"

namespace frictionbench::results {

/// Wilcoxon's signed rank test (Wilcoxon, Biometrics Bulletin 1, 1945), one-sided and exact: the
/// probability of ranks of positive values that sum up to at least as much as here, if every value
/// were as likely negative as positive. Equal magnitudes share the mean of their ranks; zeros are
/// left out, and 1 is returned if nothing else is there.
double signed_rank_p_value(std::vector<double> values);

/// Interval for the centre that values are scattered around symmetrically, from the same test: all
/// centres that it would not reject (Hodges and Lehmann, Ann. Math. Stat. 34, 1963). From the
/// smallest to the largest value where these are too few for the confidence.
/// \param values at least one. \param confidence in (0, 1).
Interval signed_rank_interval(const std::vector<double>& values, double confidence);

/// The procedure of Benjamini and Hochberg (J. R. Stat. Soc. B 57, 1995): which of many tests to
/// take for a discovery, so that at most the share `rate` of these is expected to be false.
std::vector<bool> discoveries(const std::vector<double>& p_values, double rate);

}  // namespace frictionbench::results
