#include "frictionbench/fetch/fetch.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "frictionbench/fetch/internal/download.hpp"
#include "frictionbench/fetch/internal/escape.hpp"

namespace frictionbench::fetch {

namespace fs = std::filesystem;

std::string address_of(const std::string& text) {
  std::string address = text;
  while (address.size() > 1 && address.ends_with('/')) address.pop_back();
  for (const char* protocol : {"http://", "https://", "file://"})
    if (address.starts_with(protocol)) return address;
  if (address.find("://") != std::string::npos)
    throw std::invalid_argument(fmt::format(
        "'{}' is neither a folder nor an address with http://, https:// or file://", text));
  if (!fs::is_directory(address))
    throw std::invalid_argument(fmt::format(
        "'{}': no such folder; an address starts with http://, https:// or file://", text));
  return "file://" + escaped_path(fs::canonical(address).string());
}

Outcome fetch(const Source& source, const std::vector<const datasets::SetFile*>& files,
              const fs::path& folder, const Settings& settings, Different different,
              Observer* observer) {
#ifdef FRICTIONBENCH_HAS_CURL
  if (source.addresses.empty()) throw std::invalid_argument("there is no address to fetch from");
  Observer nothing;
  return download(source, files, folder, settings, different, observer ? *observer : nothing);
#else
  static_cast<void>(source), static_cast<void>(files), static_cast<void>(folder);
  static_cast<void>(settings), static_cast<void>(different), static_cast<void>(observer);
  throw std::runtime_error(
      "this program was built without libcurl and cannot download; install libcurl4-openssl-dev "
      "and "
      "build again");
#endif
}

}  // namespace frictionbench::fetch
