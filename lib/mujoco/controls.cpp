#include "frictionbench/mujoco/internal/controls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "frictionbench/base/file_error.hpp"
#include "frictionbench/base/text.hpp"
#include "frictionbench/math/portable_numbers.hpp"

namespace frictionbench::mujoco {

namespace {

constexpr double hold_time = 0.05;  // of a random value, s

// A new value for each actuator whenever the time has passed another multiple of hold_time.
class RandomControls {
 public:
  explicit RandomControls(std::uint64_t seed) : random_(seed) {}

  void operator()(const mjModel& model, mjData& data) {
    // With half a step of slack: the time is a sum of steps, and rounded.
    const auto interval =
        static_cast<long>(std::floor((data.time + model.opt.timestep / 2) / hold_time));
    if (interval == interval_) return;
    interval_ = interval;
    for (int k = 0; k < model.nu; ++k) {
      const bool limited = model.actuator_ctrllimited[k] != 0;
      const double* const range = model.actuator_ctrlrange + 2 * k;
      data.ctrl[k] = random_.uniform(limited ? range[0] : -1, limited ? range[1] : 1);
    }
  }

 private:
  Random random_;
  long interval_ = -1;
};

// Lines of a control file.
struct Table {
  std::vector<double> times;                // increasing
  std::vector<std::vector<double>> values;  // of each time, one for each actuator
};

void interpolate(const Table& table, const mjModel& model, mjData& data) {
  const auto next = std::ranges::upper_bound(table.times, data.time);
  const auto after = static_cast<std::size_t>(next - table.times.begin());
  const std::vector<double>& last = table.values[after == 0 ? 0 : after - 1];
  const std::vector<double>& coming = table.values[std::min(after, table.times.size() - 1)];
  double part = 0;
  if (after > 0 && after < table.times.size())
    part = (data.time - table.times[after - 1]) / (table.times[after] - table.times[after - 1]);
  for (std::size_t k = 0; k < static_cast<std::size_t>(model.nu); ++k)
    data.ctrl[k] = last[k] + part * (coming[k] - last[k]);
}

Table read_table(const std::string& path, int actuators) {
  std::ifstream file(path);
  if (!file)
    throw FileError(path, "", "cannot be read; controls are zero, random:SEED or such a file");
  Table table;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const auto refuse = [&](const std::string& reason) {
      throw FileError(path, fmt::format("line {}", number), reason);
    };
    line.erase(std::min(line.find('#'), line.size()));
    std::vector<double> numbers;
    const char* at = line.c_str();
    for (char* end = nullptr;; at = end) {
      const double value = std::strtod(at, &end);
      if (end == at) break;
      if (!std::isfinite(value)) refuse("has a number that is not finite");
      numbers.push_back(value);
    }
    if (const std::string rest = at; rest.find_first_not_of(" \t\r") != std::string::npos)
      refuse(fmt::format("'{}' is not a number", rest.substr(rest.find_first_not_of(" \t\r"))));
    if (numbers.empty()) continue;
    if (numbers.size() != static_cast<std::size_t>(actuators) + 1)
      refuse(
          fmt::format("has {} numbers, expected {}: the time in seconds, and one for each of {} "
                      "actuators",
                      numbers.size(), actuators + 1, actuators));
    if (!table.times.empty() && numbers[0] <= table.times.back())
      refuse(fmt::format("time {} is not later than {}", numbers[0], table.times.back()));
    table.times.push_back(numbers[0]);
    table.values.emplace_back(numbers.begin() + 1, numbers.end());
  }
  if (table.times.empty()) throw FileError(path, "", "has no line of numbers");
  return table;
}

}  // namespace

Controls controls_named(const std::string& text, const mjModel& model) {
  if (text == "zero")
    return [](const mjModel& of, mjData& data) { std::fill_n(data.ctrl, of.nu, 0.0); };
  constexpr std::string_view random = "random:";
  if (text.starts_with(random)) {
    const auto seed = number_in<std::uint64_t>(text.substr(random.size()));
    if (!seed)
      throw std::invalid_argument(
          fmt::format("'{}' has no seed: expected random:SEED with a whole number >= 0, e.g. "
                      "random:1",
                      text));
    return RandomControls(*seed);
  }
  return [table = read_table(text, model.nu)](const mjModel& of, mjData& data) {
    interpolate(table, of, data);
  };
}

}  // namespace frictionbench::mujoco
