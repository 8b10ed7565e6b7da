#include "frictionbench/scenes/settling.hpp"

#include <algorithm>

#include "frictionbench/math/friction_cone.hpp"
#include "frictionbench/math/sparse.hpp"
#include "frictionbench/scenes/same_contacts.hpp"

namespace frictionbench::scenes {

namespace {

// One sweep over the contacts; updates r and v = v_free + M^-1 H r together.
template <int dimension>
void sweep(const ColumnMatrix& H, const ColumnMatrix& MinvH, const Vector& w,
           const Vector& diagonal, const std::vector<Contact>& contacts, Vector& r, Vector& v) {
  using Tangent = Eigen::Matrix<double, dimension - 1, 1>;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const Index normal = dimension * static_cast<Index>(i);
    const auto velocity = [&](Index k) { return H.col(k).dot(v) + w[k]; };
    const auto set_impulse = [&](Index k, double value) {
      v += MinvH.col(k) * (value - r[k]);
      r[k] = value;
    };

    // The diagonal is positive: one of the two bodies moves.
    set_impulse(normal, std::max(0.0, r[normal] - velocity(normal) / diagonal[normal]));

    // With one step length for both tangents, friction stays opposed to slip.
    const double tangent_diagonal = diagonal.template segment<dimension - 1>(normal + 1).maxCoeff();
    Tangent friction;
    for (int k = 0; k < dimension - 1; ++k)
      friction[k] = r[normal + 1 + k] - velocity(normal + 1 + k) / tangent_diagonal;
    project_on_disc(friction, contacts[i].mu * r[normal]);
    for (int k = 0; k < dimension - 1; ++k) set_impulse(normal + 1 + k, friction[k]);
  }
}

// Rounds to a multiple of 2^-24. Values such as 0.99 k 2^-24, which result from drag, can lie half
// way between two multiples, where the last digit decides the direction; the odd shift moves the
// border away from them. Never returns -0.
double rounded(double value) {
  return std::nearbyint(value * 0x1p24 + 0.1234567891) * 0x1p-24 + 0.0;
}

template <typename Derived>
typename Derived::PlainObject rounded(const Eigen::MatrixBase<Derived>& values) {
  return values.unaryExpr([](double x) { return rounded(x); });
}

}  // namespace

Settling::Response Settling::respond(const World& world, const std::vector<Contact>& contacts,
                                     double push_apart) {
  const GlobalForm global = global_form(world, contacts);
  Vector w = global.w;
  for (std::size_t i = 0; i < contacts.size(); ++i)
    w[world.dimension * static_cast<Index>(i)] +=
        push_apart * std::min(contacts[i].gap, 0.0) / world.time_step;

  const SparseMatrix inverse = inverse_mass(world);
  const ColumnMatrix H = global.H;
  const ColumnMatrix MinvH = ColumnMatrix(inverse) * H;
  const Vector diagonal =
      H.cwiseProduct(MinvH).transpose() * Vector::Ones(world.dofs());  // of W = H^T M^-1 H
  Response response;
  response.r = impulse_of_same_contacts(world.dimension, contacts_, impulse_, contacts);
  response.v = inverse * global.f + MinvH * response.r;
  with_dimension(world.dimension, [&](auto dimension) {
    for (int k = 0; k < sweeps_; ++k)
      sweep<dimension>(H, MinvH, w, diagonal, contacts, response.r, response.v);
  });
  impulse_ = rounded(response.r);
  contacts_ = contacts;
  return response;
}

Vector Settling::impulse(const World& world, const std::vector<Contact>& contacts,
                         double push_apart) {
  return respond(world, contacts, push_apart).r;
}

void Settling::step(World& world) {
  advance(world, respond(world, detect_contacts(world), 0.2).v);
  for (Body& body : world.bodies) {
    body.position = rounded(body.position);
    body.velocity = rounded(body.velocity);
    body.angular_velocity = rounded(body.angular_velocity);
    for (double& coefficient : body.rotation.coeffs()) coefficient = rounded(coefficient);
    body.rotation.normalize();
  }
}

}  // namespace frictionbench::scenes
