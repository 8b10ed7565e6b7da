/// \file
/// Downloads of files whose size and SHA-256 are known.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "frictionbench/base/describe.hpp"
#include "frictionbench/datasets/data_set.hpp"

/// Needs libcurl. Without it the library is there, and fetch() says what to install.
namespace frictionbench::fetch {

/// How patient a download is.
struct Settings {
  int connections = 4;       ///< at the same time
  int retries = 6;           ///< attempts in a row that bring nothing, before a file is given up
  double first_wait = 0.5;   ///< s before the second attempt; doubled with each further one
  double longest_wait = 60;  ///< s between two attempts
  double stall_time = 30;    ///< s without a byte, after which a connection is given up
};
void describe(auto& visit, Is<Settings> auto& settings) {
  visit("connections", settings.connections,
        {.help = "files to download at the same time", .range = {1, 64}});
  visit("retries", settings.retries,
        {.help = "attempts in a row that bring nothing, before a file is given up",
         .range = at_least(0)});
  visit("first_wait", settings.first_wait,
        {.help = "wait before the second attempt, doubled with each further one",
         .unit = "s",
         .range = at_least(0)});
  visit("longest_wait", settings.longest_wait,
        {.help = "longest wait between two attempts, also if the server asks for a longer one",
         .unit = "s",
         .range = at_least(0)});
  visit("stall_time", settings.stall_time,
        {.help = "time without a byte after which a connection is given up",
         .unit = "s",
         .range = positive()});
}

/// Where files are: folders by their addresses (http, https or file), tried in this order.
struct Source {
  std::vector<std::string> addresses;  ///< at least one, without '/' at the end
  std::string lfs;  ///< batch address of Git LFS, asked where an address has a pointer; or empty
};

/// How far a download is.
struct Progress {
  std::size_t files_done = 0;    ///< with their names
  std::size_t files = 0;         ///< all
  std::uint64_t bytes_done = 0;  ///< of files done and of the parts of those under way
  std::uint64_t bytes = 0;       ///< of all files
};

/// Is told what happens. Called from the thread of fetch().
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void progressed(const Progress&) {}  ///< about ten times a second
  /// An attempt was in vain, and there will be another. \param reason one line
  virtual void retried(const std::string& /*path*/, const std::string& /*reason*/) {}
};

/// A file that was given up.
struct Failure {
  std::string path;    ///< SetFile::path
  std::string reason;  ///< one line
};

/// What became of the files; each is counted once.
struct Outcome {
  std::size_t fetched = 0;             ///< downloaded now
  std::size_t already_there = 0;       ///< there before, with the right SHA-256
  std::uint64_t bytes = 0;             ///< received
  std::vector<Failure> failures = {};  ///< in the order of the files
};

/// What to do with a file that is there under the name of one to be fetched and has another content.
enum class Different { keep, replace };

/// Downloads files into `folder`, each to its path. A file is received as PATH.part, and gets its name
/// once its size and SHA-256 are right and it is on the disk; a part with another SHA-256 is thrown
/// away. Later calls continue parts that are left, if the server can (HTTP ranges). Several processes
/// may fetch into one folder: parts are locked (flock), and each file is downloaded by one of them.
///
/// An attempt that brings nothing is repeated after a wait, at the next address if there are several.
/// 404 and other answers that do not change rule an address out for that file. Waits that a server asks
/// for (Retry-After) are kept for all files. Redirections are followed, and pointers of Git LFS.
///
/// \throws FileError if the disk cannot be written; std::invalid_argument without an address;
///         std::runtime_error if this library was built without libcurl, with a line that says what to
///         install.
Outcome fetch(const Source& source, const std::vector<const datasets::SetFile*>& files,
              const std::filesystem::path& folder, const Settings& settings = {},
              Different different = Different::keep, Observer* observer = nullptr);

/// Where a file is received: PATH.part.
std::string part_of(const std::string& target);

/// The address of a folder on this machine, or `text` if it is an address already.
/// \throws std::invalid_argument for other protocols, and folders that do not exist.
std::string address_of(const std::string& text);

}  // namespace frictionbench::fetch
