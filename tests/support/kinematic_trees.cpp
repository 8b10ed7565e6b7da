#include "support/kinematic_trees.hpp"

#include <Eigen/Geometry>
#include <utility>

#include "frictionbench/math/portable_numbers.hpp"
#include "frictionbench/sets/sets.hpp"

namespace frictionbench::test {

namespace {

using Eigen::Vector3d;
using Link = KinematicTree::Link;
using Entries = std::vector<Eigen::Triplet<double, int>>;

constexpr double step = 0.001;  // s

Vector3d random_vector(Random& random, double size) {
  return {random.uniform(-size, size), random.uniform(-size, size), random.uniform(-size, size)};
}

const Link& link(const KinematicTree& tree, int index) {
  return tree.links[static_cast<std::size_t>(index)];
}

void add_link(KinematicTree& tree, int parent, Random& random) {
  const Vector3d from = parent < 0 ? Vector3d::Zero() : link(tree, parent).centre;
  const Vector3d hinge = from + random_vector(random, 0.2);
  tree.links.push_back({parent, hinge + random_vector(random, 0.2), hinge,
                        (random_vector(random, 1) + Vector3d(0, 0, 2)).normalized()});
}

bool has_hinge(const KinematicTree& tree, int index) { return index > 0 || !tree.floating; }

Vector3d foot(const Link& link) { return 2 * link.centre - link.hinge; }

// Into rows or columns 6 k .. 6 k + 5.
void add(Entries& entries, int k, int column, const Vector3d& linear, const Vector3d& angular) {
  for (int i = 0; i < 3; ++i) {
    entries.emplace_back(6 * k + i, column, linear[i]);
    entries.emplace_back(6 * k + 3 + i, column, angular[i]);
  }
}

SparseMatrix matrix(Index rows, Index cols, const Entries& entries) {
  SparseMatrix A(rows, cols);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

Index dofs(const KinematicTree& tree) { return 6 * static_cast<Index>(tree.links.size()); }

// Mass 1 kg and a full inertia for each link.
SparseMatrix mass_matrix(const KinematicTree& tree) {
  Random random(3);
  Entries entries;
  for (int k = 0; k < static_cast<int>(tree.links.size()); ++k) {
    const Vector3d a = random_vector(random, 0.1);
    const Eigen::Matrix3d inertia = a * a.transpose() + 0.01 * Eigen::Matrix3d::Identity();
    for (int i = 0; i < 3; ++i) {
      entries.emplace_back(6 * k + i, 6 * k + i, 1.0);
      for (int j = 0; j < 3; ++j) entries.emplace_back(6 * k + 3 + i, 6 * k + 3 + j, inertia(i, j));
    }
  }
  return matrix(dofs(tree), dofs(tree), entries);
}

// Momenta before the step, and those of gravity.
Vector momenta(const KinematicTree& tree) {
  Random random(4);
  Vector v(dofs(tree));
  for (double& entry : v) entry = random.uniform(-0.1, 0.1);
  for (Index k = 0; k < v.size(); k += 6) v[k + 2] -= 9.81 * step;
  return mass_matrix(tree) * v;
}

// Each pushes link k at a point, and its parent, if it has one, back.
void add_push(Entries& entries, const KinematicTree& tree, int k, int parent, int column,
              const Vector3d& point, const Vector3d& direction) {
  add(entries, k, column, direction, (point - link(tree, k).centre).cross(direction));
  if (parent >= 0)
    add(entries, parent, column, -direction, -(point - link(tree, parent).centre).cross(direction));
}

// Columns for the feet, from `column` on.
void add_feet(Entries& entries, const KinematicTree& tree, int column) {
  for (const int k : tree.anchors)
    for (int i = 0; i < 3; ++i)
      add_push(entries, tree, k, -1, column++, foot(link(tree, k)), Vector3d::Unit(i));
}

ContactProblem problem_of(GlobalForm form, const std::vector<SetPointer>& sets) {
  form.w = Vector::Zero(form.H.cols());
  return {3, Vector(), std::move(form), sets};
}

}  // namespace

KinematicTree chain(int links) {
  Random random(1);
  KinematicTree tree;
  for (int k = 0; k < links; ++k) add_link(tree, k - 1, random);
  return tree;
}

KinematicTree binary_tree(int links) {
  Random random(2);
  KinematicTree tree;
  for (int k = 0; k < links; ++k) add_link(tree, k == 0 ? -1 : (k - 1) / 2, random);
  return tree;
}

KinematicTree robot(const std::vector<int>& limbs, int feet) {
  Random random(5);
  KinematicTree tree;
  tree.floating = true;
  add_link(tree, -1, random);
  for (const int links : limbs) {
    for (int k = 0; k < links; ++k)
      add_link(tree, k == 0 ? 0 : static_cast<int>(tree.links.size()) - 1, random);
    if (static_cast<int>(tree.anchors.size()) < feet)
      tree.anchors.push_back(static_cast<int>(tree.links.size()) - 1);
  }
  return tree;
}

ContactProblem in_maximal_coordinates(const KinematicTree& tree) {
  Entries entries;
  std::vector<SetPointer> sets;
  int column = 0;
  for (int k = 0; k < static_cast<int>(tree.links.size()); ++k) {
    if (!has_hinge(tree, k)) continue;
    const Link& joined = link(tree, k);
    for (int i = 0; i < 3; ++i)
      add_push(entries, tree, k, joined.parent, column++, joined.hinge, Vector3d::Unit(i));
    const Vector3d across = joined.axis.unitOrthogonal();
    for (const Vector3d& torque : {across, Vector3d(joined.axis.cross(across))}) {
      add(entries, k, column, Vector3d::Zero(), torque);
      if (joined.parent >= 0) add(entries, joined.parent, column, Vector3d::Zero(), -torque);
      ++column;
    }
    sets.push_back(equality(5));
  }
  add_feet(entries, tree, column);
  column += 3 * static_cast<int>(tree.anchors.size());
  sets.insert(sets.end(), tree.anchors.size(), equality(3));
  SparseMatrix H = matrix(dofs(tree), column, entries);
  H.prune(0.0);
  return problem_of({mass_matrix(tree), H, momenta(tree), {}}, sets);
}

ContactProblem in_generalized_coordinates(const KinematicTree& tree) {
  const SparseMatrix S = body_velocities(tree), S_transposed = S.transpose();
  Entries feet;
  add_feet(feet, tree, 0);
  const auto rows = 3 * static_cast<Index>(tree.anchors.size());
  const SparseMatrix H = matrix(dofs(tree), rows, feet);
  const SparseMatrix MS = mass_matrix(tree) * S;
  return problem_of({S_transposed * MS, S_transposed * H, S_transposed * momenta(tree), {}},
                    std::vector<SetPointer>(tree.anchors.size(), equality(3)));
}

SparseMatrix body_velocities(const KinematicTree& tree) {
  Entries entries;
  const int base = tree.floating ? 6 : 0;
  for (int k = 0; k < static_cast<int>(tree.links.size()); ++k) {
    const Vector3d centre = link(tree, k).centre;
    for (int i = 0; i < base / 2; ++i) {
      add(entries, k, i, Vector3d::Unit(i), Vector3d::Zero());
      add(entries, k, 3 + i, Vector3d::Unit(i).cross(centre - link(tree, 0).centre),
          Vector3d::Unit(i));
    }
    for (int moved = k; moved >= 0 && has_hinge(tree, moved); moved = link(tree, moved).parent) {
      const Link& by = link(tree, moved);
      add(entries, k, base + moved - (tree.floating ? 1 : 0), by.axis.cross(centre - by.hinge),
          by.axis);
    }
  }
  const Index hinges = static_cast<Index>(tree.links.size()) - (tree.floating ? 1 : 0);
  SparseMatrix S = matrix(dofs(tree), base + hinges, entries);
  S.prune(0.0);
  return S;
}

}  // namespace frictionbench::test
