#include "frictionbench/hdf5/internal/hdf5_write.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "frictionbench/base/text.hpp"

namespace frictionbench {
namespace {

[[noreturn]] void fail_to_write(const HdfPlace& place) {
  place.fail(fmt::format("cannot be written ({})", hdf_reason()));
}

HdfHandle create_image(const std::string& name) {
  const HdfHandle access = memory_access();
  HdfHandle id(H5Fcreate(memory_name().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()),
               H5Fclose);
  if (!id) throw FileError(name, "", fmt::format("cannot be created ({})", hdf_reason()));
  return id;
}

HdfHandle open_image(const std::string& name, std::span<const std::byte> bytes) {
  const HdfHandle access = memory_access(bytes);
  HdfHandle id(H5Fopen(memory_name().c_str(), H5F_ACC_RDWR, access.get()), H5Fclose);
  if (!id) throw FileError(name, "", fmt::format("cannot be changed ({})", hdf_reason()));
  return id;
}

HdfGroup root_of(hid_t file, const std::string& name) {
  HdfHandle id(H5Gopen2(file, "/", H5P_DEFAULT), H5Gclose);
  if (!id) throw FileError(name, "", fmt::format("cannot be changed ({})", hdf_reason()));
  return {std::move(id), HdfPlace{&name, 0, ""}};
}

void write_dataset(const HdfGroup& group, const char* name, hid_t type, hid_t space,
                   const void* data, bool empty, Packing packing = Packing::none,
                   hsize_t extent = 0) {
  const HdfPlace place = group.place().child(name);
  // Without times the same problem gives the same bytes, whenever it is written.
  const HdfHandle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(creation.get(), false);
  if (packing != Packing::none && extent > 0) {
    constexpr hsize_t largest_chunk = 1U << 28;  // numbers: HDF5's limit is 4 GB
    const hsize_t chunk = std::min(extent, largest_chunk);
    H5Pset_chunk(creation.get(), 1, &chunk);
    H5Pset_shuffle(creation.get());
    H5Pset_deflate(creation.get(), static_cast<unsigned>(packing));
  }
  const HdfHandle id(
      H5Dcreate2(group.id(), name, type, space, H5P_DEFAULT, creation.get(), H5P_DEFAULT),
      H5Dclose);
  if (!id || (!empty && H5Dwrite(id.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0))
    fail_to_write(place);
}

template <typename T>
void write_vector(const HdfGroup& group, const char* name, hid_t type, std::span<const T> values,
                  Packing packing) {
  const hsize_t extent = values.size();
  const HdfHandle space(H5Screate_simple(1, &extent, nullptr), H5Sclose);
  write_dataset(group, name, type, space.get(), values.data(), values.empty(), packing, extent);
}

}  // namespace

HdfImage::HdfImage(const std::string& path)
    : name_(one_line(path)), id_(create_image(name_)), root_(root_of(id_.get(), name_)) {}

HdfImage::HdfImage(const std::string& path, std::span<const std::byte> bytes)
    : name_(one_line(path)), id_(open_image(name_, bytes)), root_(root_of(id_.get(), name_)) {}

std::string HdfImage::bytes() const {
  ssize_t size = -1;
  if (H5Fflush(id_.get(), H5F_SCOPE_GLOBAL) >= 0) size = H5Fget_file_image(id_.get(), nullptr, 0);
  std::string bytes(size > 0 ? static_cast<std::size_t>(size) : 0, '\0');
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

void write_integers(const HdfGroup& group, const char* name, std::span<const int> values,
                    Packing packing) {
  write_vector(group, name, H5T_NATIVE_INT, values, packing);
}

void write_reals(const HdfGroup& group, const char* name, std::span<const double> values,
                 Packing packing) {
  write_vector(group, name, H5T_NATIVE_DOUBLE, values, packing);
}

void write_matrix(const HdfGroup& group, const char* name, const Matrix& matrix) {
  const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> rows = matrix;
  const hsize_t extents[] = {static_cast<hsize_t>(rows.rows()), static_cast<hsize_t>(rows.cols())};
  const HdfHandle space(H5Screate_simple(2, extents, nullptr), H5Sclose);
  write_dataset(group, name, H5T_NATIVE_DOUBLE, space.get(), rows.data(), rows.size() == 0);
}

void write_text(const HdfGroup& group, const char* name, const std::string& text) {
  const HdfHandle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), text.size() + 1);
  const HdfHandle space(H5Screate(H5S_SCALAR), H5Sclose);
  write_dataset(group, name, type.get(), space.get(), text.c_str(), false);
}

}  // namespace frictionbench
