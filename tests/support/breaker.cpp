#include "support/breaker.hpp"

#include <stdexcept>

namespace frictionbench::test {
namespace {

void check(hid_t result) {
  if (result < 0) throw std::logic_error("breaking a file failed");
}

template <typename T>
std::vector<T> values(hid_t file, const char* name, hid_t type) {
  const hid_t id = H5Dopen2(file, name, H5P_DEFAULT);
  check(id);
  const hid_t space = H5Dget_space(id);
  std::vector<T> result(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  check(H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, result.data()));
  H5Sclose(space);
  H5Dclose(id);
  return result;
}

}  // namespace

Breaker::Breaker(const std::string& path)
    : file_(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)) {
  check(file_);
}

Breaker::~Breaker() { H5Fclose(file_); }

void Breaker::remove(const char* name) { check(H5Ldelete(file_, name, H5P_DEFAULT)); }

void Breaker::move(const char* from, const char* to) {
  check(H5Lmove(file_, from, file_, to, H5P_DEFAULT, H5P_DEFAULT));
}

void Breaker::link(const char* target, const char* name) {
  check(H5Lcreate_soft(target, file_, name, H5P_DEFAULT, H5P_DEFAULT));
}

void Breaker::group(const char* name) {
  const hid_t id = H5Gcreate2(file_, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  check(id);
  H5Gclose(id);
}

void Breaker::set(const char* name, hid_t type, std::initializer_list<hsize_t> extents,
                  const void* data) {
  if (H5Lexists(file_, name, H5P_DEFAULT) > 0) remove(name);
  const hid_t space =
      H5Screate_simple(static_cast<int>(extents.size()), std::data(extents), nullptr);
  const hid_t id = H5Dcreate2(file_, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  check(id);
  if (data) check(H5Dwrite(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
  H5Dclose(id);
  H5Sclose(space);
}

void Breaker::integers(const char* name, const std::vector<std::int64_t>& values) {
  set(name, H5T_NATIVE_INT64, {values.size()}, values.data());
}

void Breaker::reals(const char* name, const std::vector<double>& values) {
  set(name, H5T_NATIVE_DOUBLE, {values.size()}, values.data());
}

void Breaker::text(const char* name, const std::string& value) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, value.size());
  set(name, type, {1}, value.data());
  H5Tclose(type);
}

std::vector<double> Breaker::reals(const char* name) {
  return values<double>(file_, name, H5T_NATIVE_DOUBLE);
}

std::vector<std::int64_t> Breaker::integers(const char* name) {
  return values<std::int64_t>(file_, name, H5T_NATIVE_INT64);
}

std::function<void(const std::string&)> broken(const fclib::ProblemFile& good,
                                               fclib::Storage storage, const Break& damage) {
  return [=](const std::string& path) {
    write_problem(path, good, storage);
    Breaker breaker(path);
    damage(breaker);
  };
}

Break without(const char* name) {
  return [=](Breaker& file) { file.remove(name); };
}

Break integers(const char* name, const std::vector<std::int64_t>& values) {
  return [=](Breaker& file) { file.integers(name, values); };
}

Break reals(const char* name, const std::vector<double>& values) {
  return [=](Breaker& file) { file.reals(name, values); };
}

Break text(const char* name) {
  return [=](Breaker& file) { file.text(name, "three"); };
}

Break entry(const char* name, std::size_t k, std::int64_t value) {
  return [=](Breaker& file) {
    auto values = file.integers(name);
    values.at(k) = value;
    file.integers(name, values);
  };
}

Break real_entry(const char* name, std::size_t k, double value) {
  return [=](Breaker& file) {
    auto values = file.reals(name);
    values.at(k) = value;
    file.reals(name, values);
  };
}

Break shorter(const char* name) {
  return [=](Breaker& file) {
    auto values = file.reals(name);
    values.pop_back();
    file.reals(name, values);
  };
}

}  // namespace frictionbench::test
