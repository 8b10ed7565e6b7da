#include "frictionbench/base/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "frictionbench/base/text.hpp"

namespace frictionbench {

namespace {

constexpr std::size_t buffer_size = std::size_t{1} << 16;

std::string temporary_name(const std::string& target) {
  static std::atomic<unsigned> count = 0;
  return fmt::format("{}.{}-{}.tmp", target, getpid(), count++);
}

bool rename_new(const std::string& from, const std::string& to, Existing existing) {
  if (existing == Existing::refuse) {
    const int done = renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE);
    // Some file systems cannot do this; the constructor has checked that the target is not there.
    if (done == 0 || (errno != EINVAL && errno != ENOSYS)) return done == 0;
  }
  return rename(from.c_str(), to.c_str()) == 0;
}

}  // namespace

AtomicFile::AtomicFile(std::string path, Existing existing)
    : path_(std::move(path)), target_(path_), existing_(existing) {
  if (is_standard_output(path_)) {
    path_ = "standard output";
    if (std::fflush(stdout) != 0) fail(errno);
    descriptor_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (descriptor_ < 0) fail(errno);
    return;
  }
  struct stat status {};
  if (existing == Existing::refuse && lstat(path_.c_str(), &status) == 0) fail(EEXIST);
  const bool there = stat(path_.c_str(), &status) == 0;
  if (there && S_ISDIR(status.st_mode)) fail(EISDIR);
  if (there && access(path_.c_str(), W_OK) != 0) fail(errno);
  if (there && !S_ISREG(status.st_mode)) {
    descriptor_ = open(path_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail(errno);
    return;
  }
  std::error_code dangling;
  if (const auto real = std::filesystem::canonical(path_, dangling); !dangling) target_ = real;
  temporary_ = temporary_name(target_);
  descriptor_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (descriptor_ < 0) {
    temporary_.clear();
    fail(errno);
  }
  if (there) fchmod(descriptor_, status.st_mode & 07777);
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::fail(int error) const {
  const std::string reason =
      error == EEXIST ? "already exists" : fmt::format("cannot be written: {}", strerror(error));
  throw FileError(one_line(path_), "", reason);
}

void AtomicFile::write(std::string_view bytes) {
  buffer_ += bytes;
  if (buffer_.size() >= buffer_size) flush();
}

void AtomicFile::flush() {
  std::string_view left = buffer_;
  while (!left.empty()) {
    const ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

void AtomicFile::commit() {
  flush();
  if (!temporary_.empty()) {
    // On the disk before it has its name: a name must never lead to half a file.
    if (fsync(descriptor_) != 0 && errno != EINVAL) fail(errno);
    if (!rename_new(temporary_, target_, existing_)) fail(errno);
    temporary_.clear();
  }
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (close(descriptor) != 0) fail(errno);
}

void write_file(const std::string& path, std::string_view bytes, Existing existing) {
  AtomicFile file(path, existing);
  file.write(bytes);
  file.commit();
}

}  // namespace frictionbench
