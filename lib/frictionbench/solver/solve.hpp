/// \file
/// The object through which a solve passes, so that a solver's function contains only its method:
///
///     void gradient(const Gradient& settings, Solve& solve) {
///       const double step = settings.step / solve.W().largest_eigenvalue(50);
///       Vector r = solve.start(), u = solve.W().velocity(r);
///       while (solve.begin_iteration()) {
///         r = solve.projected(r - step * u);
///         u = solve.W().velocity(r);
///         if (solve.ends(r, u)) return;
///       }
///     }
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "frictionbench/linalg/block_sweeps.hpp"
#include "frictionbench/linalg/delassus_operator.hpp"
#include "frictionbench/problem/scaling.hpp"
#include "frictionbench/solver/solver.hpp"

namespace frictionbench {

/// The units that a solver works in.
enum class Scaling {
  none,      ///< those of the file
  contacts,  ///< ContactScaling::equilibrated: W_ii of mean 1, q of size 1
};

class SettingFields;
/// Adds the setting `scaling`.
void describe_scaling(SettingFields& fields, Scaling& scaling);

/// A solve under way: the problem in the solver's units, limits, counters, history, best iterate,
/// and how it ends. Iterations are counted by begin_iteration(); iterates are judged by ends(), in
/// the units that the tolerance is given in, whatever units the solver works in.
///
/// A solve that passes a test answers with the iterate that passed; any other answers with the best
/// iterate, the one with the smallest residual in units of the tolerance.
class Solve {
 public:
  /// Everything but `start` must outlive it. \param start m, or empty for zero.
  /// \param memory an earlier result, whose memory the new one takes over.
  Solve(const SolverInfo& info, const ContactProblem& problem, const Limits& limits, Vector start,
        Observer& observer, Result memory = {});
  Solve(const SolverInfo&, const ContactProblem&, const Limits&&, Vector, Observer&,
        Result = {}) = delete;

  /// A stage of another solve: the same problem in the same units, the same counters and history.
  /// Its iterations follow those so far; take() adopts its result.
  /// \param most_iterations its own limit, within that of the whole.
  /// \param start m, or empty for zero.
  Solve(Solve& whole, std::string stage, int most_iterations, Vector start);

  Solve(const Solve&) = delete;
  Solve& operator=(const Solve&) = delete;

  /// \name The problem, in the units of the solver
  /// @{
  /// Chooses the units, before anything else or between stages. Ignored in a stage, which keeps the
  /// units of the whole.
  void use(Scaling scaling);
  /// Adds a compliance of the method's own: from here on the problem, W and the residuals have it,
  /// and the result says so. Before anything else, without scaling, not in a stage. R is a diagonal,
  /// m, each >= 0.
  void soften(const Vector& R);
  /// The model whose residuals are evaluated.
  ContactModel model() const { return info_.model; }
  const ContactProblem& problem() const { return *problem_; }
  Index contacts() const { return problem_->contacts(); }
  Index blocks() const { return problem_->blocks(); }
  Index unknowns() const { return problem_->unknowns(); }
  double mu(Index contact) const { return problem_->mu()[contact]; }
  const Vector& q() const { return problem_->free_velocity(); }
  /// The impulse to start from, m. After use(), and after stages, the best so far.
  Vector start() const;
  /// Whether start() is zero because no other start was given.
  bool starts_from_zero() const { return answer_.size() == 0; }
  /// @}

  /// \name Counted work
  /// @{
  const DelassusOperator& W() const { return *W_; }
  /// W by contact, for sweeps. \tparam Dim the problem's dimension.
  template <int Dim>
  ContactSweeps<Dim> sweeps() const {
    return ContactSweeps<Dim>(*problem_, *work_);
  }
  /// Calls f with the rows of the problem by block: ContactSweeps of its dimension, or BlockSweeps if
  /// it is not plain.
  template <typename Function>
  decltype(auto) with_sweeps(Function&& f) const {
    if (!problem_->is_plain()) return f(BlockSweeps(*problem_, *work_));
    if (problem_->dimension() == 2) return f(sweeps<2>());
    return f(sweeps<3>());
  }
  /// For the constructors of counted pieces: factorisations, products, trial steps.
  WorkCounters& work() { return *work_; }
  /// r projected on the sets of its blocks, friction cones in a plain problem. \param r m.
  Vector projected(Vector r) const;
  /// @}

  /// \name Iterations
  /// @{
  /// Counts one more iteration. \returns false if the limit is reached, which ends the solve.
  bool begin_iteration();
  /// Counts more iterations as part of the one under way, such as those of an inner method.
  void add_iterations(int count) { iteration_ += count; }
  int iteration() const { return iteration_; }
  int most_iterations() const { return most_iterations_; }
  bool is_last_iteration() const { return iteration_ >= most_iterations_; }
  bool time_is_up() const { return limits_->time_is_up(); }
  /// Whether to judge this iterate if only every `every`-th is judged: also the last one, and the
  /// one at which time is up.
  bool is_due(int every) const {
    return iteration_ % every == 0 || is_last_iteration() || time_is_up();
  }

  /// Judges an iterate and shows it to observers. One that is within the tolerance in the units of the
  /// solver, but by rounding not in those of the file, does not end the solve: at most as many again may
  /// follow. \param r impulse, \param u = W r + q, both m.
  /// \param penalty of the method, for the history.
  /// \returns whether the solve ends: solved, NaN or infinite, out of time, or given up.
  bool ends(VectorView r, VectorView u, double penalty = std::numeric_limits<double>::quiet_NaN());
  /// The same in two steps, for a method that does something in between.
  const ConeResiduals& judge(VectorView r, VectorView u,
                             double penalty = std::numeric_limits<double>::quiet_NaN());
  bool ends();
  /// The same for residuals other than those of the model at r, from largest_residuals(); a solve
  /// that they end has `reason`.
  bool ends_by(StopReason reason, const ConeResiduals& own, VectorView r, double penalty);

  /// Residuals of the model in the units of the tolerance; not shown to observers.
  ConeResiduals residuals(VectorView r, VectorView u) const;
  /// Those of the iterate judged last; after finish() those of the answer in the units of the
  /// tolerance, if they were evaluated.
  const ConeResiduals& residuals() const { return residuals_; }
  bool is_within_tolerance(const ConeResiduals& residuals) const {
    return residuals.max() <= tolerance();
  }
  double tolerance() const { return limits_->tolerance; }
  const ResidualUnits& units() const { return own_units_ ? *own_units_ : limits_->units; }
  const Limits& limits() const { return *limits_; }  ///< of the whole
  /// @}

  /// \name Other ends
  /// @{
  /// Ends as stalled if no iterate among `iterations` lowers the best residual by one per cent.
  void stall_after(int iterations) { patience_ = iterations; }
  /// Ends as if at the iteration limit once `hopeless` returns true for a judged iterate.
  void give_up_when(std::function<bool(int iteration, const ConeResiduals&)> hopeless) {
    hopeless_ = std::move(hopeless);
  }
  /// Solved, by r, whose residuals() are within the tolerance, if they are in the units of the file, too.
  /// \returns whether they are. If not, the solve may go on as after ends(), and is inaccurate if the
  /// method returns instead.
  bool converge(const Vector& r, const ConeResiduals& residuals);
  /// r passes a test of the method itself, but is not within the tolerance.
  void end_inaccurate(StopReason reason, const Vector& r, std::string message);
  void stall(std::string message);
  /// A pivoting method found no pivot that bounds its driving variable.
  void end_on_ray(std::string message);
  /// A pivoting method is back at a basis that it has had.
  void end_in_cycle(std::string message);
  /// The memory that a setting of the method allows is used.
  void run_out_of_memory(std::string message);
  /// Ends if time is up, without judging an iterate, for methods whose iterates on the way are not
  /// worth judging. \returns whether it is.
  bool ends_for_time();
  void fail(std::string message);
  void refuse(std::string message);
  /// Answers with r instead of the best iterate if no test is passed.
  void answer_unsolved_with(const Vector& r) { unsolved_answer_ = r; }
  /// The generalised velocity that goes with the answer, n, of a method that has one.
  void return_velocity(Vector v) { result_.velocity = std::move(v); }
  /// A number that the solver measured, for the record.
  void report(std::string_view name, double value) { reported(name) = value; }
  /// @}

  /// Solves the islands of the problem apart, each by `method` in a Solve of its own, the smallest
  /// first, if there is more than one. Before anything else, not in a stage. Iterations and work
  /// add up; observers see the iterates of one island after the other, then the whole. An island
  /// that is not solved decides how the whole ends; the others are solved all the same.
  /// \returns false, without having done anything, if there is only one island.
  bool solves_apart(const std::function<void(Solve&)>& method);

  /// Adds the work of inner solves.
  void add_work(const WorkCounters& work) { *work_ += work; }

  /// The result, in the units of the file. To be called once, when the method has returned.
  Result finish();
  /// Takes the iterations, the end and the numbers of a stage whose method has returned. Its answer
  /// becomes that of this solve if it is solved or no worse; unless it is solved, that costs two
  /// products.
  /// \returns whether this solve ends: solved, out of time, or at the iteration limit.
  bool take(Solve& stage);

 private:
  /// Why a solve is Status::inaccurate.
  static constexpr const char* rounded_away =
      "solved in scaled units, but rounding exceeds the tolerance in the units of the file";

  void show(const ConeResiduals& residuals, VectorView r, double penalty);
  void end(Status status, StopReason reason, std::string message = {});
  bool ends_for(StopReason reason);
  bool holds_in_file(const Vector& r);
  double& reported(std::string_view name);
  void add_to_reported(std::string_view name, double value);
  void to_file_units(Vector& r) const;
  ConeResiduals evaluated_in_file(const Vector& r) const;
  double residual_of(const Vector& r) const;

  const SolverInfo& info_;
  const Limits* limits_;
  Observer* observer_;
  Solve* whole_ = nullptr;  // of a stage
  bool setup_shown_ = false;

  const ContactProblem* file_problem_;
  std::optional<ContactProblem> own_problem_;  // scaled or softened
  const ContactProblem* problem_;              // one of the two
  std::optional<ContactScaling> scaling_;
  std::optional<ResidualUnits>
      own_units_;                          // from the solver's to those of the tolerance, if scaled
  Result result_;                          // its r is the best iterate, in the solver's units
  WorkCounters* work_;                     // that of result_, or of the whole
  std::optional<DelassusOperator> own_W_;  // unless it is a stage
  const DelassusOperator* W_;              // that, or the whole's
  std::optional<ConeResiduals> residuals_in_file_;  // of an answer that was found to hold there
  bool was_rounded_away_ = false;                   // whether one was found that does not

  int most_iterations_;
  int iteration_ = 0;
  bool ended_ = false;
  // The start, then the best of the stages so far; in the units of the file, in a stage the
  // solver's. Empty: zero.
  Vector answer_;

  bool has_best_ = false;
  std::optional<Vector> unsolved_answer_;     // in the units of the solver
  ConeResiduals residuals_, best_residuals_;  // of the last iterate judged, and of the best

  int patience_ = std::numeric_limits<int>::max();
  double milestone_ = std::numeric_limits<double>::infinity();
  int milestone_iteration_ = 0;
  std::function<bool(int, const ConeResiduals&)> hopeless_;
};

}  // namespace frictionbench
