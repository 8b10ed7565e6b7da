#include "support/malformed_files.hpp"

#include <fmt/format.h>
#include <hdf5.h>

#include <algorithm>
#include <limits>

#include "frictionbench/fclib/writer.hpp"
#include "support/breaker.hpp"
#include "support/example_files.hpp"
#include "support/unreadable_files.hpp"

namespace frictionbench::test {
namespace {

using fclib::ProblemFile;
using fclib::Storage;

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int largest_int = std::numeric_limits<int>::max();

std::vector<MalformedFile> files_without_a_problem() {
  const ProblemFile local = good_local_file();
  const auto csr = Storage::compressed_rows;
  const auto make = [&](const Break& damage) { return broken(local, csr, damage); };
  return {
      {"no_problem.hdf5",
       make(without("fclib_local")),
       {"no /fclib_local, /fclib_global", "found /guesses, /solution"}},
      {"nothing.hdf5",
       make([](Breaker& file) {
         for (const char* name : {"fclib_local", "solution", "guesses"}) file.remove(name);
       }),
       {"no /fclib_local, /fclib_global", "found nothing"}},
      {"odd_name.hdf5",
       make([](Breaker& file) { file.move("fclib_local", "two\nlines\xff"); }),
       {"no /fclib_local, /fclib_global", "/two?lines\xEF\xBF\xBD"}},
      {"both.hdf5",
       make([](Breaker& file) { file.group("fclib_global"); }),
       {"both /fclib_local and /fclib_global"}},
      {"rolling_global.hdf5",
       make([](Breaker& file) { file.move("fclib_local", "fclib_global_rolling"); }),
       {"/fclib_global_rolling/spacedim: ", "is 3, expected 5"}},
      {"rolling_local.hdf5",
       make([](Breaker& file) { file.move("fclib_local", "fclib_local_rolling"); }),
       {"/fclib_local_rolling/spacedim: ", "is 3, expected 5"}},
      {"problem_is_a_dataset.hdf5",
       make([](Breaker& file) {
         file.remove("fclib_local");
         file.reals("fclib_local", {1});
       }),
       {"/fclib_local: ", "is a dataset, expected a group"}},
  };
}

std::vector<MalformedFile> broken_vectors() {
  const ProblemFile local = good_local_file();
  const auto make = [&](const Break& damage) {
    return broken(local, Storage::compressed_rows, damage);
  };
  const char* spacedim = "/fclib_local/spacedim";
  const char* mu = "/fclib_local/vectors/mu";
  const char* q = "/fclib_local/vectors/q";
  return {
      {"no_spacedim.hdf5", make(without(spacedim)), {"/fclib_local/spacedim: ", "missing"}},
      {"spacedim_4.hdf5",
       make(integers(spacedim, {4})),
       {"/fclib_local/spacedim: ", "is 4, expected 2 or 3"}},
      {"spacedim_text.hdf5",
       make(text(spacedim)),
       {"/fclib_local/spacedim: ", "holds text, expected integers"}},
      {"spacedim_real.hdf5",
       make(reals(spacedim, {3})),
       {"/fclib_local/spacedim: ", "holds real numbers, expected integers"}},
      {"spacedim_twice.hdf5",
       make(integers(spacedim, {3, 3})),
       {"/fclib_local/spacedim: ", "has 2 values, expected 1"}},
      {"no_vectors.hdf5",
       make(without("/fclib_local/vectors")),
       {"/fclib_local/vectors: ", "missing"}},
      {"no_mu.hdf5", make(without(mu)), {"/fclib_local/vectors/mu: ", "missing"}},
      {"mu_text.hdf5",
       make(text(mu)),
       {"/fclib_local/vectors/mu: ", "holds text, expected real numbers"}},
      {"mu_negative.hdf5",
       make(real_entry(mu, 1, -0.5)),
       {"/fclib_local/vectors/mu: ", "entry 1 is -0.5", "negative"}},
      {"mu_nan.hdf5",
       make(real_entry(mu, 2, nan_value)),
       {"/fclib_local/vectors/mu: ", "entry 2 is nan", "finite"}},
      {"mu_short.hdf5",
       make(shorter(mu)),
       {"/fclib_local/vectors/q: ", "has 9 values, expected 6", "vectors/mu"}},
      {"mu_2d.hdf5",
       make([=](Breaker& file) {
         const std::vector<double> values(6, 0.5);
         file.set(mu, H5T_NATIVE_DOUBLE, {2, 3}, values.data());
       }),
       {"/fclib_local/vectors/mu: ", "is a 2 x 3 array, expected a vector"}},
      {"no_q.hdf5", make(without(q)), {"/fclib_local/vectors/q: ", "missing"}},
      {"q_short.hdf5", make(shorter(q)), {"/fclib_local/vectors/q: ", "has 8 values, expected 9"}},
      {"q_infinite.hdf5",
       make(real_entry(q, 4, infinity)),
       {"/fclib_local/vectors/q: ", "entry 4 is inf", "finite"}},
      {"q_group.hdf5",
       make([=](Breaker& file) {
         file.remove(q);
         file.group(q);
       }),
       {"/fclib_local/vectors/q: ", "is a group, expected a dataset"}},
      {"q_endless.hdf5",
       make([=](Breaker& file) { file.set(q, H5T_NATIVE_DOUBLE, {hsize_t{1} << 50}, nullptr); }),
       {"/fclib_local/vectors/q: ", "more than a file of", "can hold"}},
      {"title_number.hdf5",
       make(reals("/fclib_local/info/title", {1})),
       {"/fclib_local/info/title: ", "holds real numbers, expected text"}},
  };
}

std::vector<MalformedFile> broken_matrices() {
  const ProblemFile local = good_local_file();
  const auto rows = [&](const Break& damage) {
    return broken(local, Storage::compressed_rows, damage);
  };
  const auto cols = [&](const Break& damage) {
    return broken(local, Storage::compressed_columns, damage);
  };
  const auto triplets = [&](const Break& damage) {
    return broken(local, Storage::triplet, damage);
  };
  const char* m = "/fclib_local/W/m";
  const char* nz = "/fclib_local/W/nz";
  const char* nzmax = "/fclib_local/W/nzmax";
  const char* p = "/fclib_local/W/p";
  const char* i = "/fclib_local/W/i";
  const char* x = "/fclib_local/W/x";
  return {
      {"no_W.hdf5", rows(without("/fclib_local/W")), {"/fclib_local/W: ", "missing"}},
      {"W_dangling.hdf5",
       rows([](Breaker& file) {
         file.remove("/fclib_local/W");
         file.link("/nowhere", "/fclib_local/W");
       }),
       {"/fclib_local/W: ", "cannot be opened"}},
      {"no_W_p.hdf5", rows(without(p)), {"/fclib_local/W/p: ", "missing"}},
      {"no_W_x.hdf5", rows(without(x)), {"/fclib_local/W/x: ", "missing"}},
      {"no_W_nz.hdf5", rows(without(nz)), {"/fclib_local/W/nz: ", "missing"}},
      {"m_wrong.hdf5", rows(integers(m, {12})), {"/fclib_local/W/m: ", "is 12, expected 9"}},
      {"m_negative.hdf5", rows(integers(m, {-9})), {"/fclib_local/W/m: ", "is -9, expected 9"}},
      {"m_64_bit.hdf5",
       rows(integers(m, {9 + (std::int64_t{1} << 32)})),
       {"/fclib_local/W/m: ", "is 4294967305, out of the range of a 32-bit integer"}},
      {"m_huge_triplets.hdf5",
       triplets(integers(m, {largest_int})),
       {"/fclib_local/W/m: ", "is 2147483647, expected 9"}},
      {"n_wrong.hdf5",
       rows(integers("/fclib_local/W/n", {8})),
       {"/fclib_local/W/n: ", "is 8, expected 9"}},
      {"nz_unknown.hdf5",
       rows(integers(nz, {-3})),
       {"/fclib_local/W/nz: ", "is -3, expected -2 (compressed rows)"}},
      {"nz_too_many.hdf5",
       triplets([=](Breaker& file) {
         file.integers(nz, {1000});
         file.integers(nzmax, {1000});
       }),
       {"/fclib_local/W/p: ", "expected 1000 (nz)"}},
      {"nzmax_huge.hdf5",
       rows(integers(nzmax, {largest_int})),
       {"/fclib_local/W/i: ", "expected 2147483647 (nzmax)"}},
      {"nzmax_negative.hdf5",
       rows(integers(nzmax, {-1})),
       {"/fclib_local/W/nzmax: ", "is -1, expected at least 0"}},
      {"nzmax_less_than_nz.hdf5",
       triplets(integers(nzmax, {3})),
       {"/fclib_local/W/nzmax: ", "is 3, expected at least"}},
      {"p_short.hdf5",
       rows(integers(p, {0, 1, 2})),
       {"/fclib_local/W/p: ", "has 3 values, expected 10 (m + 1)"}},
      {"p_from_1.hdf5", rows(entry(p, 0, 1)), {"/fclib_local/W/p: ", "entry 0 is 1, expected 0"}},
      {"p_decreasing.hdf5",
       rows(entry(p, 3, 2)),
       {"/fclib_local/W/p: ", "entry 3 is 2, less than", "must not decrease"}},
      {"p_beyond.hdf5",
       rows(entry(p, 9, 999)),
       {"/fclib_local/W/p: ", "the last entry is 999, expected at most nzmax"}},
      {"p_text.hdf5", rows(text(p)), {"/fclib_local/W/p: "}},
      {"column_beyond.hdf5",
       rows(entry(i, 5, 9)),
       {"/fclib_local/W/i: ", "entry 5 is 9, expected a column from 0 to 8"}},
      {"column_negative.hdf5",
       rows(entry(i, 0, -1)),
       {"/fclib_local/W/i: ", "entry 0 is -1, expected a column from 0 to 8"}},
      {"row_beyond.hdf5",
       cols(entry(i, 5, 9)),
       {"/fclib_local/W/i: ", "entry 5 is 9, expected a row from 0 to 8"}},
      {"p_decreasing_columns.hdf5",
       cols(entry(p, 3, 2)),
       {"/fclib_local/W/p: ", "must not decrease"}},
      {"triplet_column_beyond.hdf5",
       triplets(entry(p, 2, 100)),
       {"/fclib_local/W/p: ", "entry 2 is 100, expected a column from 0 to 8"}},
      {"triplet_row_negative.hdf5",
       triplets(entry(i, 2, -7)),
       {"/fclib_local/W/i: ", "entry 2 is -7, expected a row from 0 to 8"}},
      {"x_short.hdf5", rows(shorter(x)), {"/fclib_local/W/x: ", "(nzmax)"}},
      {"x_short_triplets.hdf5", triplets(shorter(x)), {"/fclib_local/W/x: ", "(nz)"}},
      {"x_nan.hdf5",
       rows(real_entry(x, 7, nan_value)),
       {"/fclib_local/W/x: ", "entry 7 is nan", "finite"}},
      {"x_infinite_triplets.hdf5",
       triplets(real_entry(x, 7, -infinity)),
       {"/fclib_local/W/x: ", "is -inf", "finite"}},
  };
}

std::vector<MalformedFile> broken_global_and_bilateral() {
  const ProblemFile global = good_global_file();
  const ProblemFile local_rows = good_local_file(3, true);
  const ProblemFile global_rows = good_global_file(3, true);
  const auto make = [&](const Break& damage) { return broken(global, Storage::triplet, damage); };
  const auto local = [&](const Break& damage) {
    return broken(local_rows, Storage::compressed_rows, damage);
  };
  const auto bilateral = [&](const Break& damage) {
    return broken(global_rows, Storage::triplet, damage);
  };
  return {
      {"M_not_square.hdf5",
       make(integers("/fclib_global/M/n", {6})),
       {"/fclib_global/M/n: ", "is 6, expected 7"}},
      {"H_transposed.hdf5",
       make([](Breaker& file) {
         file.integers("/fclib_global/H/m", {9});
         file.integers("/fclib_global/H/n", {7});
       }),
       {"/fclib_global/H/m: ", "is 9, expected 7"}},
      {"H_row_beyond.hdf5",
       make(entry("/fclib_global/H/i", 0, 7)),
       {"/fclib_global/H/i: ", "entry 0 is 7, expected a row from 0 to 6"}},
      {"f_short.hdf5",
       make(shorter("/fclib_global/vectors/f")),
       {"/fclib_global/M/m: ", "is 7, expected 6", "vectors/f"}},
      {"w_short.hdf5",
       make(shorter("/fclib_global/vectors/w")),
       {"/fclib_global/vectors/w: ", "has 8 values, expected 9"}},
      {"no_H.hdf5", make(without("/fclib_global/H")), {"/fclib_global/H: ", "missing"}},
      {"M_nan.hdf5",
       make(real_entry("/fclib_global/M/x", 0, nan_value)),
       {"/fclib_global/M/x: ", "finite"}},
      {"global_mu_negative.hdf5",
       make(real_entry("/fclib_global/vectors/mu", 0, -1)),
       {"/fclib_global/vectors/mu: ", "negative"}},
      {"V_without_R.hdf5",
       local(without("/fclib_local/R")),
       {"/fclib_local/R: ", "missing or empty, although /fclib_local/V is present"}},
      {"R_without_V.hdf5",
       local(without("/fclib_local/V")),
       {"/fclib_local/V: ", "missing or empty, although /fclib_local/R is present"}},
      {"V_R_without_s.hdf5",
       local(without("/fclib_local/vectors/s")),
       {"/fclib_local/vectors/s: ", "missing or empty"}},
      {"s_short.hdf5",
       local(shorter("/fclib_local/vectors/s")),
       {"/fclib_local/V/n: ", "is 2, expected 1", "vectors/s"}},
      {"s_infinite.hdf5",
       local(real_entry("/fclib_local/vectors/s", 0, infinity)),
       {"/fclib_local/vectors/s: ", "finite"}},
      {"G_without_b.hdf5",
       bilateral(without("/fclib_global/vectors/b")),
       {"/fclib_global/vectors/b: ", "missing or empty, although /fclib_global/G is present"}},
      {"b_without_G.hdf5",
       bilateral(without("/fclib_global/G")),
       {"/fclib_global/G: ", "missing or empty"}},
  };
}

std::vector<MalformedFile> broken_states() {
  const ProblemFile local = good_local_file();
  const auto make = [&](const Break& damage) {
    return broken(local, Storage::compressed_rows, damage);
  };
  return {
      {"solution_is_a_dataset.hdf5",
       make([](Breaker& file) {
         file.remove("/solution");
         file.reals("/solution", {1});
       }),
       {"/solution: ", "is a dataset, expected a group"}},
      {"guesses_too_many.hdf5",
       make(integers("/guesses/number_of_guesses", {3})),
       {"/guesses/number_of_guesses: ", "is 3, but the file has 2 groups of guesses"}},
      {"guesses_too_few.hdf5",
       make(integers("/guesses/number_of_guesses", {1})),
       {"/guesses/number_of_guesses: ", "is 1, but the file has 2 groups of guesses"}},
      {"guesses_negative.hdf5",
       make(integers("/guesses/number_of_guesses", {-1})),
       {"/guesses/number_of_guesses: ", "is -1"}},
      {"guesses_uncounted.hdf5",
       make(without("/guesses/number_of_guesses")),
       {"/guesses/number_of_guesses: ", "missing"}},
      {"guesses_misnumbered.hdf5",
       make([](Breaker& file) { file.move("/guesses/1", "/guesses/7"); }),
       {"/guesses/1: ", "missing"}},
      {"guess_r_text.hdf5", make(text("/guesses/1/r")), {"/guesses/1/r: "}},
  };
}

std::vector<MalformedFile> broken_compliances() {
  const ProblemFile local = compliant(good_local_file()), global = compliant(good_global_file());
  const auto make = [](const ProblemFile& file, const Break& damage) {
    return broken(file, Storage::compressed_rows, damage);
  };
  const char* R = "/frictionbench/compliance";
  const std::string place = std::string(R) + ": ";
  std::vector<MalformedFile> files;
  for (const auto& [form, file] : {std::pair{"local", local}, std::pair{"global", global}}) {
    const auto add = [&, of = std::string(form), good = file](
                         const std::string& what, const Break& damage,
                         const std::vector<std::string>& expected) {
      files.push_back(
          {fmt::format("{}_compliance_{}.hdf5", of, what), make(good, damage), expected});
    };
    add("short", shorter(R), {place, "has 8 values, expected 9"});
    add("negative", real_entry(R, 4, -1e-3), {place, "entry 4 is -0.001", "negative"});
    add("nan", real_entry(R, 0, nan_value), {place, "entry 0 is nan", "finite"});
    add("infinite", real_entry(R, 8, infinity), {place, "entry 8 is inf", "finite"});
  }
  files.push_back({"compliance_text.hdf5", make(local, text(R)), {place, "has 1 value"}});
  files.push_back({"compliance_group.hdf5",
                   make(local,
                        [=](Breaker& file) {
                          file.remove(R);
                          file.group(R);
                        }),
                   {place, "is a group, expected a dataset"}});
  files.push_back({"compliance_of_a_singular_mass.hdf5",
                   make(global,
                        [](Breaker& file) {
                          auto values = file.reals("/fclib_global/M/x");
                          std::fill(values.begin(), values.end(), 0.0);
                          file.reals("/fclib_global/M/x", values);
                        }),
                   {"/fclib_global/M: ", "is singular"}});
  files.push_back({"extension_is_a_dataset.hdf5",
                   make(local,
                        [](Breaker& file) {
                          file.remove("frictionbench");
                          file.reals("frictionbench", {1});
                        }),
                   {"/frictionbench: ", "is a dataset, expected a group"}});
  return files;
}

}  // namespace

std::vector<MalformedFile> malformed_files() {
  std::vector<MalformedFile> all;
  for (const auto& part :
       {unreadable_files(), files_without_a_problem(), broken_vectors(), broken_matrices(),
        broken_global_and_bilateral(), broken_states(), broken_compliances()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

std::vector<MalformedFile> files_with_unfit_states() {
  const auto make = [](const Break& damage) {
    return broken(good_local_file(), Storage::compressed_rows, damage);
  };
  return {
      {"solution_r_short.hdf5",
       make(shorter("/solution/r")),
       {"/solution/r: ", "has 8 values, expected 9"}},
      {"solution_u_nan.hdf5",
       make(real_entry("/solution/u", 3, nan_value)),
       {"/solution/u: ", "entry 3 is nan"}},
      {"solution_l_without_rows.hdf5",
       make(reals("/solution/l", {1, 2})),
       {"/solution/l: ", "has 2 values, expected 0"}},
      {"solution_v_short.hdf5",
       broken(good_global_file(), Storage::triplet, shorter("/solution/v")),
       {"/solution/v: ", "has 6 values, expected 7"}},
      {"guess_r_short.hdf5",
       make(shorter("/guesses/1/r")),
       {"/guesses/1/r: ", "has 8 values, expected 9"}},
      {"guess_r_nan.hdf5",
       make(real_entry("/guesses/1/r", 2, nan_value)),
       {"/guesses/1/r: ", "entry 2 is nan"}},
      {"guess_u_short.hdf5",
       make(shorter("/guesses/2/u")),
       {"/guesses/2/u: ", "has 8 values, expected 9"}},
  };
}

}  // namespace frictionbench::test
