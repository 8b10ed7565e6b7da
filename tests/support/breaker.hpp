/// \file
/// Ways to damage an HDF5 file.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "frictionbench/fclib/problem_file.hpp"
#include "frictionbench/fclib/writer.hpp"

namespace frictionbench::test {

/// A file opened for damaging it. A failure here is an error of the test.
class Breaker {
 public:
  explicit Breaker(const std::string& path);
  ~Breaker();
  Breaker(const Breaker&) = delete;
  Breaker& operator=(const Breaker&) = delete;

  void remove(const char* name);
  void move(const char* from, const char* to);
  void link(const char* target, const char* name);  ///< a soft link
  void group(const char* name);

  /// Set a dataset, whatever was there.
  void set(const char* name, hid_t type, std::initializer_list<hsize_t> extents, const void* data);
  void integers(const char* name, const std::vector<std::int64_t>& values);
  void reals(const char* name, const std::vector<double>& values);
  void text(const char* name, const std::string& value);

  std::vector<double> reals(const char* name);
  std::vector<std::int64_t> integers(const char* name);

 private:
  hid_t file_;
};

using Break = std::function<void(Breaker&)>;

/// Makes a file by writing a valid one and damaging it.
std::function<void(const std::string&)> broken(const fclib::ProblemFile& good,
                                               fclib::Storage storage, const Break& damage);

/// Removes a dataset or group.
Break without(const char* name);

/// \name Replace a dataset, or one entry of it
/// @{
Break integers(const char* name, const std::vector<std::int64_t>& values);
Break reals(const char* name, const std::vector<double>& values);
Break text(const char* name);
Break entry(const char* name, std::size_t k, std::int64_t value);
Break real_entry(const char* name, std::size_t k, double value);
Break shorter(const char* name);  ///< by its last entry
/// @}

}  // namespace frictionbench::test
