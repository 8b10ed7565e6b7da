// The constraint solvers of MuJoCo (Todorov, Erez, Tassa, IROS 2012) on a contact problem: README.md.
//
// MuJoCo minimises over the acceleration a of dofs with inertia M, and the dual over forces f:
//
//     min_f  f.(J M^-1 J^T + R) f / 2 + f.b,   b = J a_smooth - a_ref,   f_i in the contact's cone
//
// which with M = 1, a_smooth = 0, J J^T = W, a_ref = -q and R -> 0 is the CCP, f = r and J a - a_ref = u.
// The dofs are slides of unit mass, as many as W has rank; geometry and collisions are not needed.
// Its arrays of constraints are filled by hand:
//
//     rows of contact i    E_i (N, T1, T2): E_i = 1 for elliptic cones (in 2D, and without friction, with
//                          rows of zeros for the tangents there are not), and the edges N + mu T and
//                          N - mu T for pyramids in 2D; so that J J^T = E W E^T, b = E q, r = E^T f
//     units                contact i in units where trace(W_ii) = dim, velocities in those of max |q|:
//                          the same problem, as the cones do not change
//     R                    the setting R times the mean diagonal entry of a contact's rows
#include <mujoco/mujoco.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csetjmp>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "solvers/peers/peer.hpp"

namespace frictionbench::peers {

namespace {

constexpr int most_contacts = 2000;  // dense: mjData counts its bytes in an int

struct Method {
  std::string name, summary;
  mjtSolver solver;
  mjtCone cone;
  bool hard;  // with less compliance than a model of MuJoCo's can have, and a test to match
};

const std::vector<Method>& methods() {
  static const std::vector<Method> table = [] {
    const std::tuple<const char*, const char*, mjtSolver> solvers[] = {
        {"pgs", "projected Gauss-Seidel", mjSOL_PGS},
        {"cg", "nonlinear conjugate gradient", mjSOL_CG},
        {"newton", "Newton", mjSOL_NEWTON}};
    std::vector<Method> made;
    for (const auto& [name, summary, solver] : solvers) {
      const std::string full = std::string("mujoco-") + name;
      made.push_back({full, summary, solver, mjCONE_ELLIPTIC, false});
      made.push_back(
          {full + "-hard", std::string(summary) + ", almost rigid", solver, mjCONE_ELLIPTIC, true});
      made.push_back({full + "-pyramid", std::string(summary) + ", pyramid edges, almost rigid",
                      solver, mjCONE_PYRAMIDAL, true});
    }
    return made;
  }();
  return table;
}

// mju_error() must not return, and ends the process unless a handler leaves it otherwise.
std::jmp_buf on_error;
std::string error_text;

void leave(const char* text) {
  error_text = text;
  std::longjmp(on_error, 1);
}

// \throws std::runtime_error after mju_error(). Nothing here has a destructor that longjmp would skip.
void solve_constraints(const mjModel* model, mjData* data) {
  mju_user_error = leave;
  if (setjmp(on_error) == 0)
    mj_fwdConstraint(model, data);
  else
    throw std::runtime_error("MuJoCo: " + error_text);
}

// Slides of unit mass and room for constraints.
class Scene {
 public:
  Scene(int slides, int rows) {
    mju_user_warning = [](const char*) {};  // otherwise into a file
    std::string xml = "<mujoco><size njmax='" + std::to_string(rows) + "' nconmax='" +
                      std::to_string(rows) + "' nstack='" +
                      std::to_string(3L * slides * slides + 100L * (slides + rows) + 10000L) +
                      "'/><option jacobian='dense' gravity='0 0 0'/><worldbody>";
    const char* const axes[] = {"1 0 0", "0 1 0", "0 0 1"};
    for (int slide = 0; slide < slides; ++slide) {
      if (slide % 3 == 0) xml += "<body><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>";
      xml += std::string("<joint type='slide' axis='") + axes[slide % 3] + "'/>";
      if (slide % 3 == 2 || slide + 1 == slides) xml += "</body>";
    }
    xml += "</worldbody></mujoco>";
    const auto files = std::make_unique<mjVFS>();  // MBs
    mj_defaultVFS(files.get());
    const int file = mj_makeEmptyFileVFS(files.get(), "scene.xml", static_cast<int>(xml.size()));
    std::memcpy(files->filedata[file], xml.data(), xml.size());
    char error[300] = "";
    model_.reset(mj_loadXML("scene.xml", files.get(), error, sizeof error));
    mj_deleteVFS(files.get());
    if (!model_) throw std::runtime_error(std::string("MuJoCo: ") + error);
    data_.reset(mj_makeData(model_.get()));
    if (!data_) throw std::runtime_error("MuJoCo: not enough memory");
    mj_kinematics(model_.get(), data_.get());
    mj_comPos(model_.get(), data_.get());
    mj_crb(model_.get(), data_.get());
    mj_factorM(model_.get(), data_.get());
  }

  mjModel& model() { return *model_; }
  mjData& data() { return *data_; }

 private:
  std::unique_ptr<mjModel, decltype(&mj_deleteModel)> model_{nullptr, mj_deleteModel};
  std::unique_ptr<mjData, decltype(&mj_deleteData)> data_{nullptr, mj_deleteData};
};

// The last scene is kept, because a problem is solved several times in a row.
Scene& scene_of(int slides, int rows) {
  static std::optional<Scene> scene;
  static std::pair<int, int> made_for;
  if (!scene || made_for != std::pair(slides, rows)) {
    scene.emplace(slides, rows);
    made_for = {slides, rows};
  }
  return *scene;
}

// The problem in MuJoCo's form: A = E W E^T without R, b = E q.
struct Rows {
  int per_contact;
  SparseMatrix E;  // of the units, too
  Matrix A;
  Vector b, R;
  double velocity;  // unit of b
};

Rows rows_of(const Request& request, mjtCone cone, double relative_R) {
  const int dimension = request.dimension(), contacts = request.contacts();
  const bool pyramid = cone == mjCONE_PYRAMIDAL;
  const Matrix W = dense_symmetric_W(request);

  Vector unit(contacts);
  for (int i = 0; i < contacts; ++i)
    unit[i] = W.diagonal().segment(dimension * i, dimension).mean();
  const double positive = (unit.array() > 0).select(unit, 0).sum();
  const auto number = (unit.array() > 0).count();
  const double mean = number > 0 ? positive / static_cast<double>(number) : 1;
  unit = (unit.array() > 0).select(unit, mean).cwiseSqrt().cwiseInverse();

  const int per_contact = pyramid ? 2 : 3;
  std::vector<Eigen::Triplet<double, std::int32_t>> entries;
  for (int i = 0; i < contacts; ++i) {
    const int row = per_contact * i, column = dimension * i;
    const double mu = request.mu()[i];
    entries.emplace_back(row, column, unit[i]);
    if (pyramid) {
      entries.emplace_back(row + 1, column, unit[i]);
      entries.emplace_back(row, column + 1, mu * unit[i]);
      entries.emplace_back(row + 1, column + 1, -mu * unit[i]);
    } else if (mu > 0) {
      for (int k = 1; k < dimension; ++k) entries.emplace_back(row + k, column + k, unit[i]);
    }
  }
  SparseMatrix E(per_contact * contacts, dimension * contacts);
  E.setFromTriplets(entries.begin(), entries.end());

  Rows rows{per_contact, E, E * W * E.transpose(), E * request.q(), {}, 1};
  rows.velocity = rows.b.lpNorm<Eigen::Infinity>() > 0 ? rows.b.lpNorm<Eigen::Infinity>() : 1;
  rows.b /= rows.velocity;
  rows.R.resize(rows.b.size());
  for (int i = 0; i < contacts; ++i) {
    const double diagonal = rows.A.diagonal().segment(per_contact * i, per_contact).mean();
    rows.R.segment(per_contact * i, per_contact).fill(relative_R * (diagonal > 0 ? diagonal : 1));
  }
  return rows;
}

// R in the units of the problem, m: r = E^T f, so that f^T R f = r^T (E^T R^-1 E)^-1 r if R is that of
// all rows of a contact. E^T E is diagonal. Zero for tangents without friction, which have no row.
Vector compliance_of(const Rows& rows) {
  const Vector stiffness = rows.E.cwiseAbs2().transpose() * rows.R.cwiseInverse();
  return (stiffness.array() > 0).select(stiffness.cwiseInverse(), 0);
}

// J with J J^T = A: Cholesky with pivots, relative to A's diagonal, until only rounding is left.
Matrix factor(const Matrix& A) {
  const auto size = A.rows();
  const Vector diagonal = A.diagonal().cwiseMax(std::numeric_limits<double>::min());
  Vector left = A.diagonal();
  Matrix J = Matrix::Zero(size, size);
  Eigen::Index rank = 0, pivot = 0;
  for (; rank < size; ++rank) {
    if ((left.array() / diagonal.array()).maxCoeff(&pivot) <= 1e-13) break;
    Vector column = A.col(pivot);
    column.noalias() -= J.leftCols(rank) * J.row(pivot).head(rank).transpose();
    J.col(rank) = column / std::sqrt(left[pivot]);
    left.array() -= J.col(rank).array().square();
    left[pivot] = 0;
  }
  return J.leftCols(std::max<Eigen::Index>(rank, 1));
}

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

void fill(const Rows& rows, const Request& request, const Method& method, const Matrix& J,
          Scene& scene) {
  mjData& data = scene.data();
  const int size = static_cast<int>(rows.b.size()), slides = static_cast<int>(J.cols());
  const bool pyramid = method.cone == mjCONE_PYRAMIDAL;
  data.ne = data.nf = 0;
  data.nefc = size;
  data.ncon = request.contacts();
  for (int i = 0; i < data.ncon; ++i) {
    mjContact& contact = data.contact[i];
    const double mu = request.mu()[i];
    contact.dim = 3;
    contact.mu = mu > 0 ? mu : 1;  // without friction the tangents' rows are empty
    std::fill_n(contact.friction, 5, contact.mu);
    contact.efc_address = rows.per_contact * i;
    for (int k = 0; k < rows.per_contact; ++k) {
      data.efc_type[rows.per_contact * i + k] =
          pyramid ? mjCNSTR_CONTACT_PYRAMIDAL : mjCNSTR_CONTACT_ELLIPTIC;
      data.efc_id[rows.per_contact * i + k] = i;
    }
  }
  Eigen::Map<RowMajor>(data.efc_J, size, slides) = J;
  Eigen::Map<Vector>(data.efc_R, size) = rows.R;
  Eigen::Map<Vector>(data.efc_D, size) = rows.R.cwiseInverse();
  Eigen::Map<Vector>(data.efc_aref, size) = -rows.b;
  if (method.solver == mjSOL_PGS) {
    Eigen::Map<RowMajor> AR(data.efc_AR, size, size);
    AR = rows.A;
    for (int k = 0; k < size; ++k) AR(k, k) += (AR(k, k) > 0 ? 0 : 1) + rows.R[k];
  }
  Eigen::Map<Vector>(data.qacc_smooth, slides).setZero();
  Eigen::Map<Vector>(data.qfrc_smooth, slides).setZero();
}

// The tests of mj_fwdConstraint(), on what it left: it does not tell why it ended.
bool converged(const mjModel& model, const mjData& data, mjtSolver solver) {
  if (data.solver_iter >= model.opt.iterations) return false;
  if (solver == mjSOL_PGS) return true;  // which has no other end
  const double scale = model.stat.meaninertia * std::max(1, model.nv);
  const Eigen::Map<const Vector> a(data.qacc, model.nv), f(data.qfrc_constraint, model.nv);
  if ((a - f).norm() / scale < model.opt.tolerance) return true;
  return data.solver_iter > 0 && data.solver_iter <= mjNSOLVER &&
         data.solver[data.solver_iter - 1].improvement < model.opt.tolerance;
}

void solve(const Method& method, const Request& request, Answer& answer) {
  require_at_most(most_contacts, request);
  const Rows rows = rows_of(request, method.cone, request.setting("R"));
  const int size = static_cast<int>(rows.b.size());
  const bool dual = method.solver == mjSOL_PGS;  // which reads J J^T + R only
  const Matrix J = dual ? Matrix::Zero(size, 1) : factor(rows.A);
  Scene& scene = scene_of(static_cast<int>(J.cols()), size);
  mjModel& model = scene.model();
  mjData& data = scene.data();

  model.opt.solver = method.solver;
  model.opt.cone = method.cone;
  model.opt.iterations = static_cast<int>(
      std::min<std::int64_t>(request.max_iterations(), std::numeric_limits<int>::max()));
  // It is compared with a cost, quadratic in velocities.
  const double tolerance = request.tolerance();
  model.opt.tolerance = method.hard ? 1e-3 * tolerance * tolerance : tolerance;
  model.opt.disableflags |= mjDSBL_WARMSTART;
  fill(rows, request, method, J, scene);

  const auto begin = std::chrono::steady_clock::now();
  solve_constraints(&model, &data);
  const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;

  const Eigen::Map<const Vector> f(data.efc_force, size);
  answer.r = rows.velocity * (rows.E.transpose() * f);
  answer.compliance += compliance_of(rows);
  answer.end(converged(model, data, method.solver)      ? FRICTIONBENCH_CONVERGED
             : data.solver_iter >= model.opt.iterations ? FRICTIONBENCH_MAX_ITERATIONS
                                                        : FRICTIONBENCH_STALLED,
             data.solver_iter);
  answer.report("mujoco time", time.count());
  if (data.solver_iter > 0 && data.solver_iter <= mjNSOLVER) {
    answer.report("improvement", data.solver[data.solver_iter - 1].improvement);
    if (!dual) answer.report("gradient", data.solver[data.solver_iter - 1].gradient);
  }
}

}  // namespace

const Peer& peer() {
  static const Peer mujoco = [] {
    Peer made{PEER_VERSION, {}};
    for (const Method& method : methods())
      made.solvers.push_back(
          {method.name,
           "ccp",
           "MuJoCo: " + method.summary,
           method.cone == mjCONE_PYRAMIDAL ? std::vector<int>{2} : std::vector<int>{2, 3},
           [&method](const Request& request, Answer& answer) { solve(method, request, answer); },
           {{"R", method.hard ? 1e-9 : 1e-4, "compliance, in units of W's diagonal"}}});
    return made;
  }();
  return mujoco;
}

}  // namespace frictionbench::peers
