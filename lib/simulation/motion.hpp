/// \file
/// What contact impulses move step by step: a scene, a model.
#pragma once

#include "frictionbench/problem/contact_problem.hpp"
#include "frictionbench/simulation/frame.hpp"

namespace frictionbench::simulation {

/// A time step before its impulses are known.
struct StepProblem {
  ContactProblem problem;  ///< of the step
  /// Where a warm start begins: the impulses of the same contacts and joints in the step before, zero
  /// for those that are new; m.
  Vector start;
  Index contacts = 0;  ///< blocks of the problem that are contacts
  double overlap = 0;  ///< the largest of these contacts, before the step, m
};

/// Energies of everything that moves, J.
struct Energies {
  double kinetic = 0;    ///< of translation and rotation
  double potential = 0;  ///< of gravity, zero at the origin, and springs
};

/// Something that impulses move. A step is next() and then move(); if next() throws, nothing has moved.
class Motion {
 public:
  virtual ~Motion() = default;

  /// The problem of the next step. \param push_apart fraction of an overlap that the step corrects, 0 to 1.
  /// \throws std::runtime_error if the step cannot be made.
  virtual StepProblem next(double push_apart) = 0;

  /// Makes the step that next() stated last. \param r finite, as long as its unknowns.
  /// \throws std::runtime_error if that leads nowhere, such as to infinite velocities.
  virtual void move(const Vector& r) = 0;

  virtual double time_step() const = 0;   ///< h, s
  virtual Energies energies() const = 0;  ///< after the steps made
  /// After the steps made, with the impulses of the last one. Its time is for the caller to say.
  virtual Frame frame() const = 0;
};

}  // namespace frictionbench::simulation
