#include "frictionbench/fclib/internal/file_write.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "frictionbench/fclib/internal/text.hpp"

namespace frictionbench::fclib {
namespace {

/// The in-memory driver grows a file in steps of this many bytes.
constexpr std::size_t image_step = std::size_t{1} << 20;

[[noreturn]] void fail_to_write(const HdfPlace& place) {
  place.fail(fmt::format("cannot be written ({})", hdf_reason()));
}

/// HDF5 takes two files in memory of one name for one file.
std::string image_name() {
  static std::atomic<unsigned> count = 0;
  return fmt::format("frictionbench-image-{}", count++);
}

HdfHandle memory_access() {
  HdfHandle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access.get(), image_step, /*backing_store=*/false);
  return access;
}

HdfHandle create_image(const std::string& name) {
  const HdfHandle access = memory_access();
  HdfHandle id(H5Fcreate(image_name().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), H5Fclose);
  if (!id) throw FileError(name, "", fmt::format("cannot be made ({})", hdf_reason()));
  return id;
}

HdfHandle open_image(const std::string& name, std::span<const std::byte> bytes) {
  const HdfHandle access = memory_access();
  // HDF5 copies the image; its interface is older than const.
  H5Pset_file_image(access.get(), const_cast<std::byte*>(bytes.data()), bytes.size());
  HdfHandle id(H5Fopen(image_name().c_str(), H5F_ACC_RDWR, access.get()), H5Fclose);
  if (!id) throw FileError(name, "", fmt::format("cannot be changed ({})", hdf_reason()));
  return id;
}

HdfGroup root_of(hid_t file, const std::string& name) {
  HdfHandle id(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose);
  if (!id) throw FileError(name, "", fmt::format("cannot be changed ({})", hdf_reason()));
  return {std::move(id), HdfPlace{&name, 0, ""}};
}

void write_dataset(const HdfGroup& group, const char* name, hid_t type, hid_t space,
                   const void* data, bool empty) {
  const HdfPlace place = group.place().child(name);
  // Without times the same problem gives the same bytes, whenever it is written.
  const HdfHandle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation.get(), false);
  const HdfHandle id(
      H5Dcreate2(group.id(), name, type, space, H5P_DEFAULT, creation.get(), H5P_DEFAULT),
      H5Dclose);
  if (!id || (!empty && H5Dwrite(id.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0))
    fail_to_write(place);
}

template <typename T>
void write_vector(const HdfGroup& group, const char* name, hid_t type, std::span<const T> values) {
  const hsize_t extent = values.size();
  const HdfHandle space(H5Screate_simple(1, &extent, nullptr), H5Sclose);
  write_dataset(group, name, type, space.get(), values.data(), values.empty());
}

/// A file descriptor of a temporary file, which goes with it unless renamed.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& path)
      : path_(path),
        descriptor_(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)) {}
  ~TemporaryFile() {
    if (descriptor_ < 0) return;
    close(descriptor_);
    if (!path_.empty()) unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  bool allow(mode_t mode) const { return fchmod(descriptor_, mode) == 0; }

  bool write_all(std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
      const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return false;
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return fsync(descriptor_) == 0 || errno == EINVAL;
  }

  bool rename_to(const std::string& target, Existing existing) {
    int done = -1;
    if (existing == Existing::refuse) {
      done = renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target.c_str(), RENAME_NOREPLACE);
      // Some file systems cannot; the caller has looked whether the target is there.
      if (done == 0 || (errno != EINVAL && errno != ENOSYS)) return settle(done);
    }
    return settle(rename(path_.c_str(), target.c_str()));
  }

 private:
  bool settle(int done) {
    if (done == 0) path_.clear();
    return done == 0;
  }

  std::string path_;
  int descriptor_;
};

}  // namespace

HdfImage::HdfImage(const std::string& path)
    : name_(one_line(path)), id_(create_image(name_)), root_(root_of(id_.get(), name_)) {}

HdfImage::HdfImage(const std::string& path, std::span<const std::byte> bytes)
    : name_(one_line(path)), id_(open_image(name_, bytes)), root_(root_of(id_.get(), name_)) {}

std::vector<std::byte> HdfImage::bytes() const {
  ssize_t size = -1;
  if (H5Fflush(id_.get(), H5F_SCOPE_GLOBAL) >= 0) size = H5Fget_file_image(id_.get(), nullptr, 0);
  std::vector<std::byte> bytes(size > 0 ? static_cast<std::size_t>(size) : 0);
  if (size <= 0 || H5Fget_file_image(id_.get(), bytes.data(), bytes.size()) < 0)
    throw FileError(name_, "", fmt::format("cannot be written ({})", hdf_reason()));
  return bytes;
}

HdfGroup create_group(const HdfGroup& group, const char* name) {
  HdfPlace place = group.place().child(name);
  HdfHandle id(H5Gcreate2(group.id(), name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  if (!id) fail_to_write(place);
  return {std::move(id), std::move(place)};
}

void write_integer(const HdfGroup& group, const char* name, int value) {
  write_integers(group, name, {&value, 1});
}

void write_integers(const HdfGroup& group, const char* name, std::span<const int> values) {
  write_vector(group, name, H5T_NATIVE_INT, values);
}

void write_reals(const HdfGroup& group, const char* name, std::span<const double> values) {
  write_vector(group, name, H5T_NATIVE_DOUBLE, values);
}

void write_text(const HdfGroup& group, const char* name, const std::string& text) {
  const HdfHandle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), text.size() + 1);
  const HdfHandle space(H5Screate(H5S_SCALAR), H5Sclose);
  write_dataset(group, name, type.get(), space.get(), text.c_str(), false);
}

std::vector<std::byte> load_file(const std::string& path) {
  const auto fail = [&] {
    throw FileError(one_line(path), "", fmt::format("cannot be read: {}", std::strerror(errno)));
  };
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (!file) fail();
  std::vector<std::byte> bytes;
  std::size_t size = 0;
  do {
    bytes.resize(size + image_step);
    size += std::fread(bytes.data() + size, 1, image_step, file);
  } while (size == bytes.size());
  const bool failed = std::ferror(file) != 0;
  std::fclose(file);
  if (failed) fail();
  bytes.resize(size);
  return bytes;
}

void save_file(const std::string& path, std::span<const std::byte> bytes, Existing existing) {
  const auto fail = [&](const std::string& reason) { throw FileError(one_line(path), "", reason); };
  struct stat status {};
  const bool there = lstat(path.c_str(), &status) == 0;
  if (there && existing == Existing::refuse) fail("exists already");
  if (there && access(path.c_str(), W_OK) != 0)
    fail(fmt::format("cannot be written: {}", std::strerror(errno)));

  static std::atomic<unsigned> count = 0;
  TemporaryFile file(fmt::format("{}.{}-{}.tmp", path, getpid(), count++));
  if (!file.is_open() || (there && !file.allow(status.st_mode & 07777)) || !file.write_all(bytes))
    fail(fmt::format("cannot be written: {}", std::strerror(errno)));
  if (!file.rename_to(path, existing))
    fail(errno == EEXIST ? "exists already"
                         : fmt::format("cannot be written: {}", std::strerror(errno)));
}

}  // namespace frictionbench::fclib
