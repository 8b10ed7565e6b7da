#include "frictionbench/formats/formats.hpp"

#include <algorithm>
#include <new>
#include <string_view>

#include "frictionbench/base/text.hpp"
#include "frictionbench/fclib/reader.hpp"
#include "frictionbench/formats/dump.hpp"
#include "frictionbench/formats/internal/words.hpp"
#include "frictionbench/formats/kamino.hpp"
#include "frictionbench/formats/siconos.hpp"
#include "frictionbench/hdf5/internal/hdf5.hpp"

namespace frictionbench::formats {
namespace {

constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n";

bool is_fclib(const std::string& path) {
  const HdfFile file(path);
  const std::vector<std::string> names = file.root().names();
  return std::ranges::any_of(names,
                             [](const std::string& name) { return name.starts_with("fclib_"); });
}

FoundProblems read_hdf5(const std::string& path) {
  FoundProblems found{Format::fclib, {}};
  if (!is_fclib(path)) {
    found.format = Format::kamino;
    for (KaminoRecord& record : read_kamino(path))
      found.problems.push_back({std::move(record.group), std::move(record.file)});
    if (found.problems.empty())
      throw FileError(
          one_line(path), "",
          "holds neither an FCLIB problem (/fclib_local, /fclib_global, ...) nor a record of "
          "Kamino (a group DualProblem)");
    return found;
  }
  found.problems.push_back({"", fclib::read_problem(path)});
  return found;
}

}  // namespace

FoundProblems read_any(const std::string& path) {
  try {
    const std::vector<std::byte> bytes = read_bytes(path);
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    // What should be HDF5 and is not has an error line of its own.
    if (text.starts_with(hdf5_signature)) return read_hdf5(path);
    if (path.ends_with(".hdf5") || path.ends_with(".h5"))
      return {Format::fclib, {{"", fclib::read_problem(path)}}};
    if (text.starts_with(dump_signature)) return {Format::dump, {{"", read_dump(path, text)}}};
    if (is_integer(Words(path, text).peek()))
      return {Format::siconos, {{"", read_siconos(path, text)}}};
    throw FileError(
        one_line(path), "",
        "is none of the formats that can be read: FCLIB and Kamino (HDF5), Siconos' text, "
        "and the text of fb_dump.h");
  } catch (const std::bad_alloc&) {
    throw FileError(one_line(path), "", "does not fit into memory");
  }
}

}  // namespace frictionbench::formats
