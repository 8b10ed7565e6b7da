#include "frictionbench/problem/contact_problem.hpp"

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <mutex>

#include "frictionbench/problem/reduction.hpp"

namespace frictionbench {

namespace {

void check_finite(const char* piece, const double* values, Index size) {
  // 0 * x is 0 for every finite x and NaN for the others: one pass that the compiler vectorises.
  if ((Eigen::Map<const Eigen::ArrayXd>(values, size) * 0.0).sum() == 0) return;
  for (Index k = 0; k < size; ++k)
    if (!std::isfinite(values[k]))
      throw InvalidProblem(piece,
                           fmt::format("entry {} is {}; every entry must be finite", k, values[k]));
}

void check_vector(const char* piece, const Vector& vector, Index size, const char* size_name) {
  if (vector.size() != size)
    throw InvalidProblem(
        piece, fmt::format("has {} entries, expected {} ({})", vector.size(), size, size_name));
  check_finite(piece, vector.data(), vector.size());
}

void check_matrix(const char* piece, SparseMatrix& matrix, Index rows, Index cols,
                  const char* size_name) {
  if (matrix.rows() != rows || matrix.cols() != cols)
    throw InvalidProblem(piece, fmt::format("is {} x {}, expected {} x {} ({})", matrix.rows(),
                                            matrix.cols(), rows, cols, size_name));
  matrix.makeCompressed();
  check_finite(fmt::format("{}/x", piece).c_str(), matrix.valuePtr(), matrix.nonZeros());
}

void check_friction(int dimension, const Vector& mu) {
  if (dimension != 2 && dimension != 3)
    throw InvalidProblem("spacedim", fmt::format("is {}, expected 2 or 3", dimension));
  check_finite("vectors/mu", mu.data(), mu.size());
  for (Index i = 0; i < mu.size(); ++i)
    if (mu[i] < 0)
      throw InvalidProblem("vectors/mu",
                           fmt::format("entry {} is {}; a friction coefficient must not be "
                                       "negative",
                                       i, mu[i]));
}

}  // namespace

struct ContactProblem::Data {
  int dimension = 3;
  Vector mu;
  ProblemForm form = ProblemForm::local;
  std::optional<GlobalForm> global;
  std::optional<LocalBilateral> local_bilateral;
  std::optional<GlobalBilateral> global_bilateral;

  std::once_flag reduced;  // where the local form is not known from the start
  std::shared_ptr<const SparseMatrix> rigid_W;
  std::shared_ptr<const SparseMatrix> W;  // with the compliance; the same matrix if there is none
  Vector compliance;
  Vector q;
  std::function<Vector(const Vector&)> solve_mass;  // M^-1 b, for a global problem
  double assembly_time = 0;

  void reduce_once() {
    if (form == ProblemForm::local) return;
    std::call_once(reduced, [this] {
      if (W) return;
      const auto start = std::chrono::steady_clock::now();
      Reduction reduction = reduce(*global);
      set_local(reduction.local);
      solve_mass = std::move(reduction.solve_mass);
      assembly_time =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    });
  }

  void set_local(LocalForm& local) {
    const auto matrix = std::make_shared<SparseMatrix>();
    matrix->swap(local.W);  // Eigen 3.4 has no move of sparse matrices: it would copy
    rigid_W = matrix;
    W = matrix;
    q = std::move(local.q);
  }

  void set_compliance(Vector R) {
    W = rigid_W;
    if (R.isZero(0)) return;
    compliance = std::move(R);
    const auto sum = std::make_shared<SparseMatrix>();
    *sum = *rigid_W + SparseMatrix(compliance.asDiagonal());
    sum->makeCompressed();
    W = sum;
  }
};

ContactProblem::ContactProblem(int dimension, Vector mu, LocalForm form,
                               std::optional<LocalBilateral> bilateral)
    : data_(std::make_shared<Data>()) {
  check_friction(dimension, mu);
  const Index m = dimension * mu.size();
  check_matrix("W", form.W, m, m, "spacedim times the number of entries of vectors/mu");
  check_vector("vectors/q", form.q, m, "spacedim times the number of entries of vectors/mu");
  if (bilateral) {
    const Index p = bilateral->s.size();
    check_matrix("V", bilateral->V, m, p, "size of W, entries of vectors/s");
    check_matrix("R", bilateral->R, p, p, "entries of vectors/s");
    check_vector("vectors/s", bilateral->s, p, "columns of V");
  }
  data_->dimension = dimension;
  data_->mu = std::move(mu);
  data_->form = ProblemForm::local;
  data_->set_local(form);
  data_->local_bilateral = std::move(bilateral);
}

ContactProblem::ContactProblem(int dimension, Vector mu, GlobalForm form,
                               std::optional<GlobalBilateral> bilateral)
    : data_(std::make_shared<Data>()) {
  check_friction(dimension, mu);
  const Index m = dimension * mu.size();
  const Index n = form.M.rows();
  check_matrix("M", form.M, n, n, "M is square");
  check_matrix("H", form.H, n, m, "size of M, spacedim times the number of entries of vectors/mu");
  check_vector("vectors/f", form.f, n, "size of M");
  check_vector("vectors/w", form.w, m, "columns of H");
  if (bilateral) {
    const Index p = bilateral->b.size();
    check_matrix("G", bilateral->G, n, p, "size of M, entries of vectors/b");
    check_vector("vectors/b", bilateral->b, p, "columns of G");
  }
  data_->dimension = dimension;
  data_->mu = std::move(mu);
  data_->form = ProblemForm::global;
  GlobalForm& global = data_->global.emplace();
  global.M.swap(form.M);  // see set_local
  global.H.swap(form.H);
  global.f = std::move(form.f);
  global.w = std::move(form.w);
  data_->global_bilateral = std::move(bilateral);
}

int ContactProblem::dimension() const { return data_->dimension; }
Index ContactProblem::contacts() const { return data_->mu.size(); }
Index ContactProblem::unknowns() const { return data_->dimension * data_->mu.size(); }
const Vector& ContactProblem::mu() const { return data_->mu; }
ProblemForm ContactProblem::form() const { return data_->form; }

Index ContactProblem::bilateral_rows() const {
  if (data_->local_bilateral) return data_->local_bilateral->s.size();
  if (data_->global_bilateral) return data_->global_bilateral->b.size();
  return 0;
}

const Vector& ContactProblem::compliance() const { return data_->compliance; }

const SparseMatrix& ContactProblem::rigid_W() const {
  data_->reduce_once();
  return *data_->rigid_W;
}

LocalView ContactProblem::local() const {
  data_->reduce_once();
  return {*data_->W, data_->q};
}

const GlobalForm* ContactProblem::global() const {
  return data_->global ? &*data_->global : nullptr;
}

const LocalBilateral* ContactProblem::local_bilateral() const {
  return data_->local_bilateral ? &*data_->local_bilateral : nullptr;
}

const GlobalBilateral* ContactProblem::global_bilateral() const {
  return data_->global_bilateral ? &*data_->global_bilateral : nullptr;
}

double ContactProblem::assembly_time() const { return data_->assembly_time; }

std::shared_ptr<ContactProblem::Data> ContactProblem::relatives_data() const {
  data_->reduce_once();
  auto data = std::make_shared<Data>();
  data->dimension = dimension();
  data->mu = mu();
  data->form = form();
  data->local_bilateral = data_->local_bilateral;
  data->global_bilateral = data_->global_bilateral;
  data->solve_mass = data_->solve_mass;
  data->assembly_time = assembly_time();
  return data;
}

ContactProblem ContactProblem::with_compliance(Vector R) const {
  if (R.size() > 0) check_vector("compliance", R, unknowns(), "size of W");
  for (Index k = 0; k < R.size(); ++k)
    if (R[k] < 0)
      throw InvalidProblem(
          "compliance", fmt::format("entry {} is {}; a compliance must not be negative", k, R[k]));
  auto data = relatives_data();
  data->global = data_->global;
  data->rigid_W = data_->rigid_W;
  data->q = data_->q;
  data->set_compliance(std::move(R));
  return ContactProblem(std::move(data));
}

ContactProblem ContactProblem::scaled(const Vector& d, double c) const {
  eigen_assert(bilateral_rows() == 0);
  eigen_assert(d.size() == contacts() && (d.array() > 0).all() && c > 0);
  auto data = relatives_data();
  Vector D(unknowns());
  for (Index i = 0; i < contacts(); ++i) D.segment(dimension() * i, dimension()).setConstant(d[i]);
  LocalForm form{D.asDiagonal() * rigid_W() * D.asDiagonal(), D.cwiseProduct(data_->q) / c};
  form.W.makeCompressed();
  data->set_local(form);
  if (compliance().size() > 0) data->set_compliance(D.cwiseProduct(D).cwiseProduct(compliance()));
  if (const GlobalForm* g = global())
    data->global = GlobalForm{g->M, g->H * D.asDiagonal(), g->f / c, D.cwiseProduct(g->w) / c};
  return ContactProblem(std::move(data));
}

ContactProblem ContactProblem::with_velocity_added(const Vector& s) const {
  eigen_assert(bilateral_rows() == 0);
  eigen_assert(s.size() == unknowns());
  auto data = relatives_data();
  data->rigid_W = data_->rigid_W;
  data->W = data_->W;
  data->compliance = data_->compliance;
  data->q = data_->q + s;
  if (const GlobalForm* g = global()) data->global = GlobalForm{g->M, g->H, g->f, g->w + s};
  return ContactProblem(std::move(data));
}

Vector ContactProblem::contact_velocity(const Vector& r) const {
  const LocalView form = local();
  return form.W * r + form.q;
}

Vector ContactProblem::generalized_velocity(const Vector& r) const {
  eigen_assert(data_->global);
  data_->reduce_once();
  return data_->solve_mass(data_->global->H * r + data_->global->f);
}

}  // namespace frictionbench
