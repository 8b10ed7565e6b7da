#include "frictionbench/scenes/settling.hpp"

#include <cmath>

#include "frictionbench/math/friction_cone.hpp"

namespace frictionbench::scenes {

namespace {

using ColumnMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, int>;

struct Response {
  Vector r;  ///< impulse, m
  Vector v;  ///< velocity at the end of the step, n
};

template <int dimension>
void sweep(const ColumnMatrix& H, const ColumnMatrix& MinvH, const Vector& w,
           const Vector& diagonal, const std::vector<Contact>& contacts, Response& at) {
  using Tangent = Eigen::Matrix<double, dimension - 1, 1>;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Index normal = dimension * static_cast<Index>(i);
    const auto velocity = [&](Index k) { return H.col(k).dot(at.v) + w[k]; };
    const auto set_impulse = [&](Index k, double value) {
      at.v += MinvH.col(k) * (value - at.r[k]);
      at.r[k] = value;
    };

    // The diagonal is positive: one of the two bodies moves.
    set_impulse(normal, std::max(0.0, at.r[normal] - velocity(normal) / diagonal[normal]));

    // One step length for both tangents keeps the friction opposed to the slip.
    const double tangent_diagonal = diagonal.template segment<dimension - 1>(normal + 1).maxCoeff();
    Tangent friction;
    for (int k = 0; k < dimension - 1; ++k)
      friction[k] = at.r[normal + 1 + k] - velocity(normal + 1 + k) / tangent_diagonal;
    project_on_disc(friction, contacts[i].mu * at.r[normal]);
    for (int k = 0; k < dimension - 1; ++k) set_impulse(normal + 1 + k, friction[k]);
  }
}

Response respond(const World& world, const std::vector<Contact>& contacts, int sweeps) {
  const GlobalForm global = global_form(world, contacts);
  const SparseMatrix inverse = inverse_mass(world);
  const ColumnMatrix H = global.H;
  const ColumnMatrix MinvH = ColumnMatrix(inverse) * H;
  const Vector diagonal =
      H.cwiseProduct(MinvH).transpose() * Vector::Ones(world.dofs());  // of W = H^T M^-1 H
  Response response{Vector::Zero(H.cols()), inverse * global.f};
  with_dimension(world.dimension, [&](auto dimension) {
    for (int k = 0; k < sweeps; ++k)
      sweep<dimension>(H, MinvH, global.w, diagonal, contacts, response);
  });
  return response;
}

double rounded(double value) { return std::nearbyint(value * 0x1p24) * 0x1p-24; }

Vector3 rounded(const Vector3& value) {
  return value.unaryExpr([](double x) { return rounded(x); });
}

}  // namespace

Vector Settling::impulse(const World& world, const std::vector<Contact>& contacts) const {
  return respond(world, contacts, sweeps_).r;
}

void Settling::step(World& world) const {
  advance(world, respond(world, detect_contacts(world), sweeps_).v);
  for (Body& body : world.bodies) {
    body.position = rounded(body.position);
    body.velocity = rounded(body.velocity);
    body.angular_velocity = rounded(body.angular_velocity);
    for (double& coefficient : body.rotation.coeffs()) coefficient = rounded(coefficient);
    body.rotation.normalize();
  }
}

}  // namespace frictionbench::scenes
