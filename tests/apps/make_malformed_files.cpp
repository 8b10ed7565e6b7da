/// \file
/// Writes every malformed file of the library's tests into a folder, and beside them
/// expectations.tsv: a file and what the error line about it must contain, tab-separated.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>

#include "support/malformed_files.hpp"

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: {} FOLDER\n", argv[0]);
    return 2;
  }
  try {
    const std::filesystem::path folder = argv[1];
    std::filesystem::create_directories(folder);
    std::ofstream table(folder / "expectations.tsv");
    for (const auto& file : frictionbench::test::malformed_files()) {
      file.make(folder / file.name);
      table << fmt::format("{}\t{}\n", file.name, fmt::join(file.expected, "\t"));
    }
    if (!table.flush()) throw std::runtime_error("cannot write expectations.tsv");
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
