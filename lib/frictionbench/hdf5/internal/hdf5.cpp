#include "frictionbench/hdf5/internal/hdf5.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>

#include "frictionbench/base/text.hpp"

namespace frictionbench {
namespace {

std::recursive_mutex& hdf_mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

herr_t keep_first(unsigned, const H5E_error2_t* error, void* text) {
  // Walking upward, the first entry is the innermost.
  if (error->desc && *error->desc) *static_cast<std::string*>(text) = error->desc;
  return 1;
}

/// The best compression that a filter of HDF5 reaches (deflate: 1032 to 1).
constexpr std::uint64_t greatest_compression = 1100;

const char* plural(Index count) { return count == 1 ? "" : "s"; }

/// Why opening `name` as a group or dataset failed, once it has.
[[noreturn]] void fail_to_open(hid_t parent, const char* name, const HdfPlace& place,
                               H5I_type_t wanted) {
  const std::string said = hdf_reason();
  const htri_t linked = H5Lexists(parent, name, H5P_DEFAULT);
  if (linked == 0) place.fail("missing");
  if (linked > 0) {
    const HdfHandle object(H5Oopen(parent, name, H5P_DEFAULT), H5Oclose);
    if (object) {
      const H5I_type_t type = H5Iget_type(object.get());
      if (type == H5I_GROUP && wanted == H5I_DATASET) place.fail("is a group, expected a dataset");
      if (type == H5I_DATASET && wanted == H5I_GROUP) place.fail("is a dataset, expected a group");
    }
  }
  place.fail(fmt::format("cannot be opened, the file is damaged ({})", said));
}

/// Size of the file in bytes, once it is certain that there is one.
std::uint64_t size_of_file(const std::string& path) {
  const std::string name = one_line(path);
  struct stat status {};
  if (stat(path.c_str(), &status) != 0)
    throw FileError(name, "", errno == ENOENT ? "no such file" : std::strerror(errno));
  if (S_ISDIR(status.st_mode)) throw FileError(name, "", "is a folder, expected a file");
  // Opening a pipe would wait for a writer.
  if (!S_ISREG(status.st_mode)) throw FileError(name, "", "is not a regular file");
  return static_cast<std::uint64_t>(status.st_size);
}

/// Why HDF5 did not open a file, found by looking at it.
[[noreturn]] void fail_to_open(const std::string& path, const std::string& name,
                               std::uint64_t bytes) {
  const std::string said = hdf_reason();
  const auto close = [](std::FILE* file) { std::fclose(file); };
  const std::unique_ptr<std::FILE, decltype(close)> file(std::fopen(path.c_str(), "rb"));
  if (!file) throw FileError(name, "", fmt::format("cannot be read: {}", std::strerror(errno)));
  char start[32] = {};
  const std::string_view head(start, std::fread(start, 1, sizeof start, file.get()));

  if (head.empty()) throw FileError(name, "", "is empty, expected an HDF5 file");
  if (head.starts_with("version https://git-lfs"))
    throw FileError(name, "", "this is a Git LFS pointer, run git lfs pull");
  if (head.starts_with("frictionbench problem"))
    throw FileError(name, "", "is what fb_dump.h left; make it HDF5 by frictionbench convert");
  if (H5Fis_hdf5(path.c_str()) <= 0) throw FileError(name, "", "not an HDF5 file");

  const std::string_view key = "stored_eof = ";
  if (const auto at = said.find(key); at != std::string::npos)
    throw FileError(name, "",
                    fmt::format("truncated HDF5 file: {} bytes, its header expects {}", bytes,
                                said.substr(at + key.size())));
  throw FileError(name, "", fmt::format("truncated or damaged HDF5 file ({})", said));
}

HdfHandle open_on_disk(const std::string& path, const std::string& name, std::uint64_t bytes) {
  HdfHandle id(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), H5Fclose);
  if (!id) fail_to_open(path, name, bytes);
  return id;
}

HdfHandle open_in_memory(const std::string& path, const std::string& name,
                         std::vector<std::byte> content) {
  const std::uint64_t bytes = content.size();
  // HDF5 refuses an image of no bytes with a complaint of its own.
  if (content.empty()) throw FileError(name, "", "is empty, expected an HDF5 file");
  const HdfHandle access = memory_access(content);
  content = {};  // HDF5 has a copy
  HdfHandle id(H5Fopen(memory_name().c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
  if (!id) fail_to_open(path, name, bytes);
  return id;
}

HdfGroup open_root(hid_t file, const std::string& name, std::uint64_t bytes) {
  HdfHandle id(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose);
  if (!id)
    throw FileError(name, "", fmt::format("truncated or damaged HDF5 file ({})", hdf_reason()));
  return {std::move(id), HdfPlace{&name, bytes, ""}};
}

}  // namespace

HdfScope::HdfScope() : lock_(hdf_mutex()) {
  // At exit HDF5 would complain on standard error about what damaged files left behind in it; we
  // close everything that we open, so nothing is lost without its clean-up.
  static const herr_t no_cleanup_at_exit = H5dont_atexit();
  static_cast<void>(no_cleanup_at_exit);
  H5Eget_auto2(H5E_DEFAULT, &print_, &print_data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

HdfScope::~HdfScope() { H5Eset_auto2(H5E_DEFAULT, print_, print_data_); }

std::string hdf_reason() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, &text);
  return one_line(text);
}

HdfPlace HdfPlace::child(std::string_view name) const {
  return {file, bytes, path + '/' + std::string(name)};
}

void HdfPlace::fail(const std::string& reason) const { throw FileError(*file, path, reason); }

HdfDataset::HdfDataset(hid_t parent, std::string_view name, HdfPlace place)
    : place_(std::move(place)) {
  const std::string link(name);
  id_ = HdfHandle(H5Dopen2(parent, link.c_str(), H5P_DEFAULT), H5Dclose);
  if (!id_) fail_to_open(parent, link.c_str(), place_, H5I_DATASET);

  type_ = HdfHandle(H5Dget_type(id_.get()), H5Tclose);
  const HdfHandle space(H5Dget_space(id_.get()), H5Sclose);
  const int rank = space ? H5Sget_simple_extent_ndims(space.get()) : -1;
  class_ = type_ ? H5Tget_class(type_.get()) : H5T_NO_CLASS;
  const std::uint64_t type_size = type_ ? H5Tget_size(type_.get()) : 0;
  if (rank < 0 || class_ == H5T_NO_CLASS || type_size == 0)
    place_.fail(fmt::format("cannot be read, the file is damaged ({})", hdf_reason()));
  extents_.resize(static_cast<std::size_t>(rank));
  if (rank > 0) H5Sget_simple_extent_dims(space.get(), extents_.data(), nullptr);

  // A null dataspace is of rank 0 too, and holds nothing.
  std::uint64_t count = H5Sget_simple_extent_type(space.get()) == H5S_NULL ? 0 : 1;
  bool too_large = false;
  for (const hsize_t extent : extents_) {
    too_large = too_large || (count != 0 && extent > place_.bytes * greatest_compression / count);
    count = too_large ? count : count * extent;
  }
  if (!too_large && count > place_.bytes / type_size) {
    // More than the file has bytes for: only compression can explain that.
    const HdfHandle plist(H5Dget_create_plist(id_.get()), H5Pclose);
    too_large = !plist || H5Pget_layout(plist.get()) != H5D_CHUNKED ||
                count > place_.bytes * greatest_compression / type_size;
  }
  if (too_large)
    place_.fail(fmt::format("declares {} values, more than a file of {} bytes can hold",
                            fmt::join(extents_, " x "), place_.bytes));
  size_ = static_cast<Index>(count);
}

std::string HdfDataset::describe() const {
  switch (class_) {
    case H5T_INTEGER:
      return "integers";
    case H5T_FLOAT:
      return "real numbers";
    case H5T_STRING:
      return "text";
    case H5T_COMPOUND:
      return "compound values";
    case H5T_ENUM:
      return "enumerated values";
    case H5T_VLEN:
    case H5T_ARRAY:
      return "arrays";
    default:
      return "values of another type";
  }
}

void HdfDataset::expect_size(Index expected, std::string_view meaning) const {
  if (size_ != expected)
    place_.fail(
        fmt::format("has {} value{}, expected {} ({})", size_, plural(size_), expected, meaning));
}

void HdfDataset::expect_vector(std::string_view wanted) const {
  // {n, 1} and {1, n} are vectors to the programs that know matrices only.
  if (std::ranges::count_if(extents_, [](hsize_t extent) { return extent != 1; }) > 1)
    place_.fail(
        fmt::format("is a {} array, expected a vector of {}", fmt::join(extents_, " x "), wanted));
}

void HdfDataset::read_raw(hid_t memory_type, void* out) const {
  if (size_ == 0) return;
  if (H5Dread(id_.get(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0)
    place_.fail(fmt::format("cannot be read, the file is truncated or damaged ({})", hdf_reason()));
}

void HdfDataset::read(std::span<int> out) const {
  if (class_ != H5T_INTEGER) place_.fail(fmt::format("holds {}, expected integers", describe()));
  expect_vector("integers");
  const std::size_t width = H5Tget_size(type_.get());
  if (width < sizeof(int) || (width == sizeof(int) && H5Tget_sign(type_.get()) == H5T_SGN_2)) {
    read_raw(H5T_NATIVE_INT, out.data());
    return;
  }
  // HDF5 would clip what does not fit; we say so.
  std::vector<std::int64_t> wide(out.size());
  read_raw(H5T_NATIVE_INT64, wide.data());
  for (std::size_t k = 0; k < wide.size(); ++k) {
    if (wide[k] < std::numeric_limits<int>::min() || wide[k] > std::numeric_limits<int>::max())
      place_.fail(fmt::format("entry {} is {}, out of the range of a 32-bit integer", k, wide[k]));
    out[k] = static_cast<int>(wide[k]);
  }
}

void HdfDataset::expect_reals() const {
  if (class_ != H5T_FLOAT && class_ != H5T_INTEGER)
    place_.fail(fmt::format("holds {}, expected real numbers", describe()));
}

void HdfDataset::read(std::span<double> out) const {
  expect_reals();
  expect_vector("real numbers");
  read_raw(H5T_NATIVE_DOUBLE, out.data());
}

Matrix HdfDataset::matrix() const {
  expect_reals();
  if (extents_.size() != 2)
    place_.fail(fmt::format("has {} extent{}, expected 2 (rows and columns)", extents_.size(),
                            plural(static_cast<Index>(extents_.size()))));
  Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows(
      static_cast<Index>(extents_[0]), static_cast<Index>(extents_[1]));
  read_raw(H5T_NATIVE_DOUBLE, rows.data());
  return rows;
}

std::string HdfDataset::text() const {
  if (class_ != H5T_STRING) place_.fail(fmt::format("holds {}, expected text", describe()));
  if (size_ == 0) return {};
  if (size_ != 1) place_.fail(fmt::format("holds {} strings, expected one", size_));

  if (H5Tis_variable_str(type_.get()) > 0) {
    char* raw = nullptr;
    read_raw(type_.get(), &raw);
    const std::string text = raw ? valid_utf8(raw) : "";
    const HdfHandle space(H5Dget_space(id_.get()), H5Sclose);
    H5Dvlen_reclaim(type_.get(), space.get(), H5P_DEFAULT, &raw);
    return text;
  }

  std::string raw(H5Tget_size(type_.get()), '\0');
  read_raw(type_.get(), raw.data());
  raw.resize(std::min(raw.find('\0'), raw.size()));
  if (H5Tget_strpad(type_.get()) == H5T_STR_SPACEPAD) raw.resize(raw.find_last_not_of(' ') + 1);
  return valid_utf8(raw);
}

bool HdfGroup::has(const char* name) const {
  const htri_t linked = H5Lexists(id_.get(), name, H5P_DEFAULT);
  if (linked < 0)
    place_.fail(fmt::format("cannot be read, the file is damaged ({})", hdf_reason()));
  return linked > 0;
}

bool HdfGroup::has_group(const char* name) const {
  if (!has(name)) return false;
  const HdfHandle id(H5Oopen(id_.get(), name, H5P_DEFAULT), H5Oclose);
  return id && H5Iget_type(id.get()) == H5I_GROUP;
}

std::vector<std::string> HdfGroup::names() const {
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  hsize_t start = 0;
  if (H5Literate(id_.get(), H5_INDEX_NAME, H5_ITER_NATIVE, &start, add, &names) < 0)
    place_.fail(fmt::format("cannot be listed, the file is damaged ({})", hdf_reason()));
  std::ranges::sort(names);
  return names;
}

HdfGroup HdfGroup::group(const char* name) const {
  HdfPlace place = place_.child(name);
  HdfHandle id(H5Gopen2(id_.get(), name, H5P_DEFAULT), H5Gclose);
  if (!id) fail_to_open(id_.get(), name, place, H5I_GROUP);
  return {std::move(id), std::move(place)};
}

HdfDataset HdfGroup::dataset(const char* name) const {
  return {id_.get(), name, place_.child(name)};
}

int HdfGroup::integer(const char* name) const {
  const HdfDataset data = dataset(name);
  data.expect_size(1, "a scalar");
  int value = 0;
  data.read({&value, 1});
  return value;
}

Vector HdfGroup::reals(const char* name) const {
  const HdfDataset data = dataset(name);
  Vector values(data.size());
  data.read({values.data(), static_cast<std::size_t>(values.size())});
  return values;
}

std::string HdfGroup::text(const char* name) const { return dataset(name).text(); }

std::vector<std::byte> read_bytes(const std::string& path) {
  std::vector<std::byte> bytes(size_of_file(path));
  std::FILE* file = std::fopen(path.c_str(), "rb");
  std::size_t size = 0;
  if (file) size = std::fread(bytes.data(), 1, bytes.size(), file);
  const bool failed = !file || std::ferror(file) != 0;
  const int error = errno;
  if (file) std::fclose(file);
  if (failed)
    throw FileError(one_line(path), "", fmt::format("cannot be read: {}", std::strerror(error)));
  bytes.resize(size);
  return bytes;
}

HdfHandle memory_access(std::span<const std::byte> bytes) {
  constexpr std::size_t growth = std::size_t{1} << 20;  // bytes
  HdfHandle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access.get(), growth, /*backing_store=*/false);
  // HDF5 copies the image; its interface is older than const.
  if (!bytes.empty())
    H5Pset_file_image(access.get(), const_cast<std::byte*>(bytes.data()), bytes.size());
  return access;
}

std::string memory_name() {
  static std::atomic<unsigned> count = 0;
  return fmt::format("frictionbench-image-{}", count++);
}

HdfFile::HdfFile(const std::string& path)
    : name_(one_line(path)),
      bytes_(size_of_file(path)),
      id_(open_on_disk(path, name_, bytes_)),
      root_(open_root(id_.get(), name_, bytes_)) {}

HdfFile::HdfFile(const std::string& path, std::vector<std::byte> content)
    : name_(one_line(path)),
      bytes_(content.size()),
      id_(open_in_memory(path, name_, std::move(content))),
      root_(open_root(id_.get(), name_, bytes_)) {}

}  // namespace frictionbench
