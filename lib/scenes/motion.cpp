#include "frictionbench/scenes/motion.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "frictionbench/math/sparse.hpp"
#include "frictionbench/scenes/same_contacts.hpp"

namespace frictionbench::scenes {

namespace {

double largest_overlap(const std::vector<Contact>& contacts) {
  double overlap = 0;
  for (const Contact& contact : contacts) overlap = std::max(overlap, -contact.gap);
  return overlap;
}

struct Theta {
  double forces, positions;  // theta, theta_vq
};

Theta theta_of(Scheme scheme) {
  switch (scheme) {
    case Scheme::midpoint:
      return {0.5, 0.5};
    case Scheme::implicit:
      return {1, 1};
    case Scheme::explicit_:
      return {0, 0};
    default:
      return {0, 1};
  }
}

// Springs at q^theta, from those at q_0.
void apply(const Theta& theta, const World& world, GlobalForm& form) {
  if (theta.forces == 0 || world.springs.empty()) return;
  const Index size = form.M.rows();
  Triplets entries;
  for (const Spring& spring : world.springs) {
    const auto first = static_cast<int>(world.dofs_per_body() * static_cast<Index>(spring.body));
    for (int i = 0; i < world.dimension; ++i)
      for (int j = 0; j < world.dimension; ++j)
        entries.emplace_back(first + i, first + j,
                             spring.stiffness * spring.axis[i] * spring.axis[j]);
  }
  const SparseMatrix K = assembled(size, size, entries);
  const double factor = world.time_step * world.time_step * theta.forces;
  form.f -= factor * (1 - theta.positions) * (K * velocities(world));
  form.M = SparseMatrix(form.M + factor * theta.positions * K);
}

// The w_N of a contact, and its R_N if there are springs.
class NormalLaw {
 public:
  NormalLaw(const World& world, const MotionSettings& settings, double push_apart)
      : settings_(settings),
        push_apart_(push_apart),
        h_(world.time_step),
        share_(theta_of(settings.scheme).positions),
        fastest_at_rest_(2 * world.time_step * world.gravity.norm()) {}

  // \param speed u_N before the step.
  double w(const Contact& contact, double speed) const {
    const bool closes = contact.gap + h_ * speed <= 0;
    if (settings_.restitution > 0 && closes && speed < -fastest_at_rest_)
      return settings_.restitution * speed;
    if (settings_.stiffness > 0) return (contact.gap + h_ * (1 - share_) * speed) / span();
    return contact.gap > 0 ? contact.gap / h_ : push_apart_ * contact.gap / h_;
  }

  double R() const { return 1 / (h_ * settings_.stiffness * span()); }

 private:
  double span() const { return h_ * share_ + settings_.relaxation_time; }  // s

  const MotionSettings& settings_;
  double push_apart_;
  double h_;
  double share_;  // theta_vq
  double fastest_at_rest_;
};

void check(const MotionSettings& settings) {
  if (settings.stiffness > 0 && settings.restitution > 0)
    throw std::invalid_argument(
        "restitution is for rigid contacts; with stiffness, relaxation_time says how they bounce");
  if (settings.scheme == Scheme::explicit_ && settings.stiffness > 0 &&
      settings.relaxation_time == 0)
    throw std::invalid_argument(
        "scheme: explicit needs a relaxation_time, as springs of contacts do not see its velocity");
  if (settings.stiffness == 0 && settings.relaxation_time > 0)
    throw std::invalid_argument("relaxation_time needs a stiffness");
}

}  // namespace

double kinetic_energy(const World& world) {
  double twice = 0;
  for (const Body& body : world.bodies)
    twice += body.mass * body.velocity.squaredNorm() +
             body.angular_velocity.dot(world_inertia(body) * body.angular_velocity);
  return twice / 2;
}

double potential_energy(const World& world) {
  double energy = 0;
  for (const Body& body : world.bodies) energy -= body.mass * world.gravity.dot(body.position);
  for (const Spring& spring : world.springs) {
    const double stretch = spring.stretch(world.bodies[static_cast<std::size_t>(spring.body)]);
    energy += spring.stiffness * stretch * stretch / 2;
  }
  return energy;
}

WorldMotion::WorldMotion(World world, const MotionSettings& settings)
    : world_(std::move(world)), settings_(settings) {
  check(settings);
}

ContactProblem WorldMotion::problem(const std::vector<Contact>& contacts, double push_apart) const {
  const int dimension = world_.dimension;
  GlobalForm form = global_form(world_, contacts);
  const Vector before = form.H.transpose() * velocities(world_);
  apply(theta_of(settings_.scheme), world_, form);
  const NormalLaw law(world_, settings_, push_apart);
  Vector mu(static_cast<Index>(contacts.size()));
  Vector R = Vector::Zero(form.w.size());
  for (Index i = 0; i < mu.size(); ++i) {
    const Contact& contact = contacts[static_cast<std::size_t>(i)];
    mu[i] = contact.mu;
    form.w[dimension * i] = law.w(contact, before[dimension * i]);
    if (settings_.stiffness > 0) R[dimension * i] = law.R();
  }
  ContactProblem rigid(dimension, std::move(mu), std::move(form));
  return settings_.stiffness > 0 ? rigid.with_compliance(std::move(R)) : rigid;
}

simulation::StepProblem WorldMotion::next(double push_apart) {
  if (settings_.stiffness > 0 && push_apart > 0)
    throw std::invalid_argument(
        "push_apart is for rigid contacts; with stiffness, springs push bodies apart");
  next_contacts_ = detect_contacts(world_);
  next_ = problem(next_contacts_, push_apart);
  return {*next_, impulse_of_same_contacts(world_.dimension, contacts_, impulse_, next_contacts_),
          static_cast<Index>(next_contacts_.size()), largest_overlap(next_contacts_)};
}

void WorldMotion::move(const Vector& r) {
  advance(world_, next_->generalized_velocity(r), theta_of(settings_.scheme).positions);
  contacts_ = std::move(next_contacts_);
  impulse_ = r;
}

simulation::Energies WorldMotion::energies() const {
  return {kinetic_energy(world_), potential_energy(world_)};
}

}  // namespace frictionbench::scenes
