/// \file
/// The problem records of Kamino, the solver of closed kinematic loops in Newton (github.com/
/// newton-physics/newton): groups `DualProblem` anywhere in an HDF5 file, as its class DualProblemData
/// wrote them until 2026. Of a group are read
///
///     info/njd, nld, nc       rows of joints and of joint limits; number of contacts
///     problem/D               the Delassus matrix: rows of joints, then of limits, then 3 of each contact
///     problem/v_f             the free velocity
///     problem/mu              nc coefficients of friction
///     solution/lambdas        the impulse that Kamino found; solution/v_plus its velocity
///
/// v+ = D lambda + v_f, joints are bilateral, limits have lambda >= 0, and components of a contact are
/// (T1, T2, N). Kamino records the problem that it solves: with its preconditioner, which is on by
/// default, D is P D P and v_f is P v_f for a P > 0 that is one number for each contact. That is the same
/// complementarity problem in other units, and the file does not say which.
#pragma once

#include <string>
#include <vector>

#include "frictionbench/fclib/problem_file.hpp"

namespace frictionbench::formats {

/// A record and where it was.
struct KaminoRecord {
  std::string group;        ///< that holds `DualProblem`: "Worlds/boxes/frames/12"
  fclib::ProblemFile file;  ///< the problem and the solution that Kamino found
};

/// Reads all records of a file, in order of the names of their groups, numbers by value. Contacts come
/// first, normal first, then joints and limits. Zeros of D are left out.
/// \throws FileError naming the dataset and what is wrong. Without any record the result is empty.
std::vector<KaminoRecord> read_kamino(const std::string& path);

}  // namespace frictionbench::formats
