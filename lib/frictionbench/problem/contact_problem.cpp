#include "frictionbench/problem/contact_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <stdexcept>

#include "frictionbench/problem/contact_columns.hpp"
#include "frictionbench/problem/internal/checks.hpp"
#include "frictionbench/problem/reduction.hpp"
#include "frictionbench/sets/sets.hpp"

namespace frictionbench {

namespace {

const char* size_name(const std::vector<SetPointer>& others) {
  return others.empty() ? "spacedim times the number of entries of vectors/mu"
                        : "rows of all blocks";
}

// The global form, and what is made of it when it is asked for. Shared by problems that differ in
// neither.
struct SharedGlobal {
  GlobalForm form;
  std::once_flag made;
  std::optional<ContactColumns> columns;
  double columns_time = 0;

  const ContactColumns& make_columns(const BlockShape& shape) {
    std::call_once(made, [&] {
      const auto start = std::chrono::steady_clock::now();
      columns.emplace(form, shape);
      columns_time =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    });
    return *columns;
  }
};

std::shared_ptr<SharedGlobal> shared(GlobalForm&& form) {
  auto global = std::make_shared<SharedGlobal>();
  global->form.M.swap(form.M);  // Eigen 3.4 has no move of sparse matrices: it would copy
  global->form.H.swap(form.H);
  global->form.f = std::move(form.f);
  global->form.w = std::move(form.w);
  return global;
}

}  // namespace

struct ContactProblem::Data {
  int dimension = 3;
  Vector mu;
  std::shared_ptr<const BlockLayout> layout;  // null for a plain problem
  ProblemForm form = ProblemForm::local;
  std::shared_ptr<SharedGlobal> global;  // null for a local problem
  bool has_W = true;

  std::once_flag reduced;  // where the local form is not known from the start
  std::shared_ptr<const SparseMatrix> rigid_W;
  std::shared_ptr<const SparseMatrix> W;  // with the compliance; the same matrix if there is none
  Vector compliance;
  Vector q;
  MassSolver solve_mass;  // for a global problem; null where the reduction was known
  double assembly_time = 0;

  void set_blocks(int space, Vector coefficients, const std::vector<SetPointer>& others) {
    check_friction(space, coefficients);
    dimension = space;
    mu = std::move(coefficients);
    if (others.empty()) return;
    std::vector<SetPointer> sets;
    for (Index i = 0; i < mu.size(); ++i) {
      const bool repeats = i > 0 && mu[i] == mu[i - 1];
      sets.push_back(repeats ? sets.back() : friction_cone(mu[i], dimension));
    }
    sets.insert(sets.end(), others.begin(), others.end());
    std::vector<Index> starts{0};
    for (const SetPointer& set : sets) starts.push_back(starts.back() + set->dimension());
    layout = std::make_shared<const BlockLayout>(
        BlockLayout{std::move(sets), BlockShape(std::move(starts))});
  }

  void reduce_once() {
    if (!has_W) throw std::logic_error("the local form of a problem without W is asked for");
    if (form == ProblemForm::local) return;
    std::call_once(reduced, [this] {
      if (W) return;
      const auto start = std::chrono::steady_clock::now();
      Reduction reduction = reduce(global->form);
      set_local(reduction.local);
      solve_mass = std::move(reduction.solve_mass);
      assembly_time =
          std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    });
  }

  void set_local(LocalForm& local) {
    const auto matrix = std::make_shared<SparseMatrix>();
    matrix->swap(local.W);  // see shared()
    rigid_W = matrix;
    W = matrix;
    q = std::move(local.q);
  }

  void set_compliance(Vector R) {
    W = rigid_W;
    if (R.isZero(0)) return;
    compliance = std::move(R);
    if (!has_W) return;
    const auto sum = std::make_shared<SparseMatrix>();
    *sum = *rigid_W + SparseMatrix(compliance.asDiagonal());
    sum->makeCompressed();
    W = sum;
  }
};

ContactProblem::ContactProblem(int dimension, Vector mu, LocalForm form,
                               std::vector<SetPointer> others)
    : data_(std::make_shared<Data>()) {
  data_->set_blocks(dimension, std::move(mu), others);
  const Index m = unknowns();
  const char* size = size_name(others);
  check_matrix("W", form.W, m, m, size);
  check_vector("vectors/q", form.q, m, size);
  data_->form = ProblemForm::local;
  data_->set_local(form);
}

ContactProblem::ContactProblem(int dimension, Vector mu, GlobalForm form,
                               std::vector<SetPointer> others)
    : data_(std::make_shared<Data>()) {
  data_->set_blocks(dimension, std::move(mu), others);
  const Index n = form.M.rows();
  check_matrix("M", form.M, n, n, "M is square");
  check_matrix("H", form.H, n, unknowns(),
               others.empty() ? "size of M, spacedim times the number of entries of vectors/mu"
                              : "size of M, rows of all blocks");
  check_vector("vectors/f", form.f, n, "size of M");
  check_vector("vectors/w", form.w, unknowns(), "columns of H");
  data_->form = ProblemForm::global;
  data_->global = shared(std::move(form));
}

int ContactProblem::dimension() const { return data_->dimension; }
Index ContactProblem::contacts() const {
  if (is_plain()) return data_->mu.size();
  return std::ranges::count_if(layout()->sets,
                               [](const SetPointer& set) { return set->mu().has_value(); });
}

Index ContactProblem::unknowns() const { return block_start(blocks()); }

const BlockLayout* ContactProblem::layout() const { return data_->layout.get(); }

Index ContactProblem::blocks() const {
  return is_plain() ? data_->mu.size() : layout()->shape.count();
}

BlockShape ContactProblem::block_shape() const {
  return is_plain() ? BlockShape(data_->dimension, data_->mu.size()) : layout()->shape;
}

Index ContactProblem::block_start(Index i) const {
  return is_plain() ? data_->dimension * i : layout()->shape.start(i);
}

std::vector<SetPointer> ContactProblem::other_sets() const {
  if (is_plain()) return {};
  return {layout()->sets.begin() + mu().size(), layout()->sets.end()};
}

const Vector& ContactProblem::mu() const { return data_->mu; }
ProblemForm ContactProblem::form() const { return data_->form; }

Index ContactProblem::bilateral_rows() const {
  Index rows = 0;
  if (!is_plain())
    for (const SetPointer& set : layout()->sets)
      if (set->is_whole_space()) rows += set->dimension();
  return rows;
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
  return data_->global ? &data_->global->form : nullptr;
}

ContactProblem ContactProblem::without_W() const {
  auto data = common_data();
  data->has_W = false;
  data->set_compliance(compliance());
  const ContactProblem problem(std::move(data));
  problem.columns();
  return problem;
}

bool ContactProblem::has_W() const { return data_->has_W; }

const ContactColumns& ContactProblem::columns() const {
  eigen_assert(data_->global);
  return data_->global->make_columns(block_shape());
}

const Vector& ContactProblem::free_velocity() const {
  return has_W() ? local().q : columns().free_contact_velocity();
}

Vector ContactProblem::delassus_diagonal() const {
  if (has_W()) return local().W.diagonal();
  const Vector diagonal = columns().delassus_diagonal();
  return compliance().size() > 0 ? diagonal + compliance() : diagonal;
}

double ContactProblem::assembly_time() const {
  return has_W() ? data_->assembly_time : data_->global->columns_time;
}

std::shared_ptr<ContactProblem::Data> ContactProblem::common_data() const {
  auto data = std::make_shared<Data>();
  data->dimension = dimension();
  data->mu = mu();
  data->layout = data_->layout;
  data->form = form();
  data->global = data_->global;
  data->has_W = has_W();
  return data;
}

std::shared_ptr<ContactProblem::Data> ContactProblem::relatives_data() const {
  data_->reduce_once();
  auto data = common_data();
  data->global = nullptr;
  data->solve_mass = data_->solve_mass;
  data->assembly_time = assembly_time();
  return data;
}

ContactProblem ContactProblem::with_reduction(LocalForm local) const {
  eigen_assert(global() && has_W() && compliance().size() == 0 && local.q.size() == unknowns());
  auto data = common_data();
  data->set_local(local);
  return ContactProblem(std::move(data));
}

ContactProblem ContactProblem::with_compliance(Vector R) const {
  if (R.size() > 0) check_vector("compliance", R, unknowns(), "size of W");
  for (Index k = 0; k < R.size(); ++k)
    if (R[k] < 0)
      throw InvalidProblem(
          "compliance", fmt::format("entry {} is {}; a compliance must not be negative", k, R[k]));
  auto data = has_W() ? relatives_data() : common_data();
  data->global = data_->global;
  data->rigid_W = data_->rigid_W;
  data->q = data_->q;
  data->set_compliance(std::move(R));
  return ContactProblem(std::move(data));
}

ContactProblem ContactProblem::scaled(const Vector& d, double c) const {
  eigen_assert(d.size() == blocks() && (d.array() > 0).all() && c > 0);
  auto data = has_W() ? relatives_data() : common_data();
  Vector D(unknowns());
  for (Index i = 0; i < blocks(); ++i) D.segment(block_start(i), block_rows(i)).setConstant(d[i]);
  if (!is_plain()) {
    BlockLayout scaled = *layout();
    for (std::size_t i = 0; i < scaled.sets.size(); ++i)
      if (SetPointer set = scaled.sets[i]->divided(c * d[static_cast<Index>(i)]))
        scaled.sets[i] = std::move(set);
    data->layout = std::make_shared<const BlockLayout>(std::move(scaled));
  }
  if (has_W()) {
    LocalForm form{D.asDiagonal() * rigid_W() * D.asDiagonal(), D.cwiseProduct(data_->q) / c};
    form.W.makeCompressed();
    data->set_local(form);
  }
  if (compliance().size() > 0) data->set_compliance(D.cwiseProduct(D).cwiseProduct(compliance()));
  if (const GlobalForm* g = global())
    data->global = shared({g->M, g->H * D.asDiagonal(), g->f / c, D.cwiseProduct(g->w) / c});
  return ContactProblem(std::move(data));
}

ContactProblem ContactProblem::with_velocity_added(const Vector& s) const {
  eigen_assert(s.size() == unknowns());
  auto data = relatives_data();
  data->rigid_W = data_->rigid_W;
  data->W = data_->W;
  data->compliance = data_->compliance;
  data->q = data_->q + s;
  if (const GlobalForm* g = global()) data->global = shared({g->M, g->H, g->f, g->w + s});
  return ContactProblem(std::move(data));
}

Vector ContactProblem::contact_velocity(const Vector& r) const {
  if (has_W()) return local().W * r + local().q;
  const Vector u = columns().contact_velocity(columns().generalized_velocity(r)) + global()->w;
  return compliance().size() > 0 ? u + compliance().cwiseProduct(r) : u;
}

Vector ContactProblem::generalized_velocity(const Vector& r) const {
  if (has_W()) data_->reduce_once();
  if (!data_->solve_mass) return columns().generalized_velocity(r);
  return data_->solve_mass(global()->H * r + global()->f);
}

}  // namespace frictionbench
