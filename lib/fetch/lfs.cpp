#include "frictionbench/fetch/internal/lfs.hpp"

#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "frictionbench/base/text.hpp"

namespace frictionbench::fetch {

using nlohmann::json;

std::optional<LfsPointer> read_lfs_pointer(const std::string& text) {
  if (text.size() > longest_lfs_pointer || !text.starts_with(lfs_pointer_start))
    return std::nullopt;
  LfsPointer pointer;
  std::optional<std::uint64_t> bytes;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view oid = "oid sha256:", size = "size ";
    if (line.starts_with(oid)) pointer.sha256 = line.substr(oid.size());
    if (line.starts_with(size)) bytes = number_in<std::uint64_t>(line.substr(size.size()));
  }
  pointer.bytes = bytes.value_or(0);
  const bool valid = bytes && pointer.sha256.size() == 64 &&
                     pointer.sha256.find_first_not_of("0123456789abcdef") == std::string::npos;
  return valid ? std::optional(pointer) : std::nullopt;
}

std::string lfs_request(const LfsPointer& file) {
  return json{{"operation", "download"},
              {"transfers", {"basic"}},
              {"objects", {{{"oid", file.sha256}, {"size", file.bytes}}}}}
      .dump();
}

LfsPlace read_lfs_answer(const std::string& text) try {
  const json object = json::parse(text).at("objects").at(0);
  if (object.contains("error"))
    throw std::invalid_argument(
        "Git LFS: " + one_line(object["error"].value("message", "the file is not there")));
  const json& action = object.at("actions").at("download");
  LfsPlace place{action.at("href").get<std::string>(), {}};
  if (!place.address.starts_with("https://") && !place.address.starts_with("http://"))
    throw std::invalid_argument("Git LFS: the answer has no address of http or https");
  if (!action.contains("header")) return place;
  for (const auto& [name, value] : action["header"].items()) {
    const auto header = value.get<std::string>();
    if (one_line(name + header) != name + header)
      throw std::invalid_argument("Git LFS: the answer has a header that cannot be sent");
    place.headers.emplace_back(name, header);
  }
  return place;
} catch (const json::exception&) {
  throw std::invalid_argument("Git LFS: the answer is not what its batch API says");
}

}  // namespace frictionbench::fetch
