#include "frictionbench/solvers/nonsmooth_newton/contact_function.hpp"

#include <numbers>

namespace frictionbench::solvers {

namespace {

template <int Dim>
using TangentVector = Eigen::Matrix<double, Dim - 1, 1>;
template <int Dim>
using TangentMatrix = Eigen::Matrix<double, Dim - 1, Dim - 1>;

template <int Dim>
auto tangent_block(ConeMatrix<Dim>& matrix) {
  return matrix.template bottomRightCorner<Dim - 1, Dim - 1>();
}

// The unit vector along x; any if x = 0.
template <int Dim>
TangentVector<Dim> direction_of(const TangentVector<Dim>& x) {
  const double length = x.norm();
  return length > 0 ? TangentVector<Dim>(x / length) : TangentVector<Dim>::Unit(0);
}

// û and its derivative by u.
template <int Dim>
struct ModifiedVelocity {
  ConeVector<Dim> value;
  ConeMatrix<Dim> by_velocity = ConeMatrix<Dim>::Identity();

  ModifiedVelocity(const ConeVector<Dim>& u, const ConeVector<Dim>& r, double mu) : value(u) {
    const TangentVector<Dim> u_T = tangent_of(u);
    const TangentVector<Dim> slip_begins = -tangent_of(r);
    const TangentVector<Dim> along = direction_of<Dim>(u_T.isZero(0) ? slip_begins : u_T);
    value[0] += mu * u_T.norm();
    by_velocity.template block<1, Dim - 1>(0, 1) = mu * along.transpose();
  }
};

// The derivative of project_on_cone.
template <int Dim>
ConeMatrix<Dim> cone_projection_derivative(const ConeVector<Dim>& y, double mu) {
  const TangentVector<Dim> y_T = tangent_of(y);
  const double tangent = y_T.norm();
  if (mu > 0 && tangent <= mu * y[0]) return ConeMatrix<Dim>::Identity();
  if (mu * tangent <= -y[0]) return ConeMatrix<Dim>::Zero();
  const TangentVector<Dim> along = direction_of<Dim>(y_T);
  ConeVector<Dim> edge;  // the ray of the cone that is nearest to y
  edge[0] = 1;
  tangent_of(edge) = mu * along;
  ConeMatrix<Dim> derivative = edge * edge.transpose() / (1 + mu * mu);
  if (tangent > 0) {
    const double radius = mu * edge.dot(y) / (1 + mu * mu);
    tangent_block<Dim>(derivative) +=
        radius / tangent * (TangentMatrix<Dim>::Identity() - along * along.transpose());
  }
  return derivative;
}

// v = (x o x + z o z)^1/2 and its derivatives L_v^-1 L_x and L_v^-1 L_z, L_a b = a o b (Fukushima,
// Luo and Tseng, section 3). L_v has the eigenvectors c_1 = (1, -t), c_2 = (1, t), of eigenvalues
// s_1 <= s_2, those of v, and (0, s), s normal to t, of (s_1 + s_2) / 2. Squares of eigenvalues
// would lose half of the digits of s_1, but
//
//     c_k o x = (±t . a, a),   a = x_1 ± x_0 t,     s_k^2 = |a(x)|^2 + |a(z)|^2
template <int Dim>
class JordanNorm {
 public:
  JordanNorm(const ConeVector<Dim>& x, const ConeVector<Dim>& z) {
    const TangentVector<Dim> w_1 = x[0] * tangent_of(x) + z[0] * tangent_of(z);
    along_ = direction_of<Dim>(w_1);
    for (const int k : {0, 1})
      eigenvalue_[k] = std::hypot(offset(k, x).norm(), offset(k, z).norm());
  }

  ConeVector<Dim> value() const {
    ConeVector<Dim> v;
    v[0] = (eigenvalue_[0] + eigenvalue_[1]) / 2;
    tangent_of(v) = (eigenvalue_[1] - eigenvalue_[0]) / 2 * along_;
    return v;
  }

  // L_v^-1 L_x. \param x that or z.
  ConeMatrix<Dim> derivative(const ConeVector<Dim>& x) const {
    ConeMatrix<Dim> result = ConeMatrix<Dim>::Zero();
    for (const int k : {0, 1}) {
      const ConeVector<Dim> c = eigenvector(k);
      ConeVector<Dim> image;  // (c o x) / s; its limit if s = 0
      if (eigenvalue_[k] > 0) {
        const TangentVector<Dim> a = offset(k, x);
        image[0] = sign(k) * along_.dot(a) / eigenvalue_[k];
        tangent_of(image) = a / eigenvalue_[k];
      } else {
        image = c / std::numbers::sqrt2;
      }
      result += c * image.transpose() / 2;
    }
    if constexpr (Dim == 3) {
      const TangentVector<Dim> across(-along_[1], along_[0]);
      const double mean = (eigenvalue_[0] + eigenvalue_[1]) / 2;
      ConeVector<Dim> image;  // ((0, across) o x) / mean
      if (mean > 0) {
        image[0] = across.dot(tangent_of(x)) / mean;
        tangent_of(image) = x[0] / mean * across;
      } else {
        image[0] = 0;
        tangent_of(image) = across / std::numbers::sqrt2;
      }
      result.template bottomRows<2>() += across * image.transpose();
    }
    return result;
  }

 private:
  static double sign(int k) { return k == 0 ? -1 : 1; }
  TangentVector<Dim> offset(int k, const ConeVector<Dim>& x) const {
    return tangent_of(x) + sign(k) * x[0] * along_;
  }
  ConeVector<Dim> eigenvector(int k) const {
    ConeVector<Dim> c;
    c[0] = 1;
    tangent_of(c) = sign(k) * along_;
    return c;
  }

  TangentVector<Dim> along_;
  double eigenvalue_[2];
};

// mu = 0: F_N of the two numbers r_N and rho u_N, and F_T = r_T.
template <int Dim>
ContactEquation<Dim> frictionless_fischer_burmeister(const ConeVector<Dim>& r,
                                                     const ConeVector<Dim>& u, double rho) {
  const double z = rho * u[0], length = std::hypot(r[0], z);
  ContactEquation<Dim> F{r, ConeMatrix<Dim>::Zero(), ConeMatrix<Dim>::Identity()};
  F.value[0] = r[0] + z - length;
  F.by_impulse(0, 0) = 1 - (length > 0 ? r[0] / length : 1 / std::numbers::sqrt2);
  F.by_velocity(0, 0) = rho * (1 - (length > 0 ? z / length : 1 / std::numbers::sqrt2));
  return F;
}

template <int Dim>
ContactEquation<Dim> alart_curnier(const ConeVector<Dim>& r, const ConeVector<Dim>& u, double mu,
                                   const VelocityFactors& rho) {
  // r = 0 for an open contact, and r_T = 0 for one without friction
  ContactEquation<Dim> F{r, ConeMatrix<Dim>::Zero(), ConeMatrix<Dim>::Identity()};
  const double normal = r[0] - rho.normal * u[0];
  if (normal <= 0) return F;
  F.value[0] = rho.normal * u[0];
  F.by_velocity(0, 0) = rho.normal;
  F.by_impulse(0, 0) = 0;
  if (mu == 0) return F;

  const TangentVector<Dim> y_T = tangent_of(r) - rho.tangent * tangent_of(u);
  const double tangent = y_T.norm(), radius = mu * normal;
  if (tangent <= radius) {
    tangent_of(F.value) = rho.tangent * tangent_of(u);
    tangent_block<Dim>(F.by_velocity) = rho.tangent * TangentMatrix<Dim>::Identity();
    tangent_block<Dim>(F.by_impulse).setZero();
    return F;
  }
  const TangentVector<Dim> along = y_T / tangent;
  const TangentMatrix<Dim> turn =
      radius / tangent * (TangentMatrix<Dim>::Identity() - along * along.transpose());
  tangent_of(F.value) -= radius * along;
  tangent_block<Dim>(F.by_velocity) = rho.tangent * turn;
  tangent_block<Dim>(F.by_impulse) -= turn;
  F.by_velocity.template bottomLeftCorner<Dim - 1, 1>() = mu * rho.normal * along;
  F.by_impulse.template bottomLeftCorner<Dim - 1, 1>() = -mu * along;
  return F;
}

template <int Dim>
ContactEquation<Dim> natural_map(const ConeVector<Dim>& r, const ConeVector<Dim>& u, double mu,
                                 double rho) {
  const ModifiedVelocity<Dim> modified(u, r, mu);
  const ConeVector<Dim> y = r - rho * modified.value;
  const ConeMatrix<Dim> P = cone_projection_derivative<Dim>(y, mu);
  return {r - project_on_cone(y, mu), rho * P * modified.by_velocity,
          ConeMatrix<Dim>::Identity() - P};
}

template <int Dim>
ContactEquation<Dim> fischer_burmeister(const ConeVector<Dim>& r, const ConeVector<Dim>& u,
                                        double mu, double rho) {
  if (mu == 0) return frictionless_fischer_burmeister<Dim>(r, u, rho);
  ConeVector<Dim> E = ConeVector<Dim>::Constant(mu);
  E[0] = 1;
  const ModifiedVelocity<Dim> modified(u, r, mu);
  const ConeVector<Dim> x = r.cwiseQuotient(E), z = rho * E.cwiseProduct(modified.value);
  const JordanNorm<Dim> norm(x, z);
  const ConeMatrix<Dim> identity = ConeMatrix<Dim>::Identity();
  return {E.cwiseProduct(x + z - norm.value()),
          rho * E.asDiagonal() * (identity - norm.derivative(z)) * E.asDiagonal() *
              modified.by_velocity,
          E.asDiagonal() * (identity - norm.derivative(x)) * E.cwiseInverse().asDiagonal()};
}

}  // namespace

template <int Dim>
ContactEquation<Dim> contact_equation(ContactFunction function, const ConeVector<Dim>& r,
                                      const ConeVector<Dim>& u, double mu,
                                      const VelocityFactors& rho) {
  switch (function) {
    case ContactFunction::natural_map:
      return natural_map<Dim>(r, u, mu, rho.tangent);
    case ContactFunction::fischer_burmeister:
      return fischer_burmeister<Dim>(r, u, mu, rho.tangent);
    case ContactFunction::alart_curnier:
      break;
  }
  return alart_curnier<Dim>(r, u, mu, rho);
}

template ContactEquation<2> contact_equation<2>(ContactFunction, const ConeVector<2>&,
                                                const ConeVector<2>&, double,
                                                const VelocityFactors&);
template ContactEquation<3> contact_equation<3>(ContactFunction, const ConeVector<3>&,
                                                const ConeVector<3>&, double,
                                                const VelocityFactors&);

}  // namespace frictionbench::solvers
