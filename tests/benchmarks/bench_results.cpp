/// \file
/// Results documents of 20 000 records. The bar: `frictionbench summary` of one takes less than 5
/// s.

#include <benchmark/benchmark.h>

#include <filesystem>

#include "frictionbench/results/document/json.hpp"
#include "frictionbench/results/document/summary.hpp"
#include "support/documents.hpp"

namespace frictionbench::results {
namespace {

namespace fs = std::filesystem;

const Document& large_document() {
  static const Document document = test::document(2000, 10);
  return document;
}

// Left there for `/usr/bin/time -v frictionbench summary`.
std::string large_file() { return fs::temp_directory_path() / "frictionbench_20000_records.json"; }

void write(benchmark::State& state) {
  for (auto _ : state) write_document(large_file(), large_document());
  state.counters["bytes"] = static_cast<double>(fs::file_size(large_file()));
  state.SetLabel(large_file());
}
BENCHMARK(write)->Name("results/write")->Unit(benchmark::kMillisecond);

void read(benchmark::State& state) {
  write_document(large_file(), large_document());
  for (auto _ : state) benchmark::DoNotOptimize(read_document(large_file()).records.data());
}
BENCHMARK(read)->Name("results/read")->Unit(benchmark::kMillisecond);

void summary(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(summarize(large_document()).data());
}
BENCHMARK(summary)->Name("results/summarize")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace frictionbench::results
