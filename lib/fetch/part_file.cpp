#include "frictionbench/fetch/internal/part_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "frictionbench/base/sha256.hpp"
#include "frictionbench/fetch/fetch.hpp"

namespace frictionbench::fetch {

namespace {

[[noreturn]] void fail_to_write(const std::string& path, int error) {
  throw FileError(path, "", fmt::format("cannot be written: {}", std::strerror(error)));
}

}  // namespace

std::string part_of(const std::string& target) { return target + ".part"; }

std::unique_ptr<PartFile> PartFile::open(const std::string& target) {
  const std::string path = part_of(target);
  while (true) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (descriptor < 0) fail_to_write(path, errno);
    if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
      const int error = errno;
      close(descriptor);
      if (error != EWOULDBLOCK) fail_to_write(path, error);
      return nullptr;
    }
    // Whoever had it before may have renamed or removed it between open() and flock().
    struct stat opened {
    }, named{};
    if (fstat(descriptor, &opened) != 0) {
      const int error = errno;
      close(descriptor);
      fail_to_write(path, error);
    }
    if (stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
        opened.st_dev == named.st_dev)
      return std::unique_ptr<PartFile>(
          new PartFile(target, descriptor, static_cast<std::uint64_t>(opened.st_size)));
    close(descriptor);
  }
}

PartFile::PartFile(std::string target, int descriptor, std::uint64_t size)
    : target_(std::move(target)), path_(part_of(target_)), descriptor_(descriptor), size_(size) {}

PartFile::~PartFile() {
  if (!finished_ && size_ == 0) unlink(path_.c_str());
  close(descriptor_);
}

void PartFile::fail(int error) const { fail_to_write(path_, error); }

void PartFile::append(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(errno);
    size_ += static_cast<std::uint64_t>(written);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

void PartFile::clear() {
  if (ftruncate(descriptor_, 0) != 0) fail(errno);
  size_ = 0;
}

std::string PartFile::sha256() const { return sha256_of_file(path_); }

void PartFile::finish() {
  // On the disk before it has its name: a name must never lead to half a file.
  if (fsync(descriptor_) != 0 && errno != EINVAL) fail(errno);
  if (std::rename(path_.c_str(), target_.c_str()) != 0) fail(errno);
  finished_ = true;
}

}  // namespace frictionbench::fetch
