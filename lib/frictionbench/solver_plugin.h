/** \file
 * Solvers in a shared library: what it exports, and what it is given. Plain C99, for C, C++, Rust,
 * Julia and whatever else can make such a library. solvers/external/README.md has an example.
 *
 * A library exports the three functions at the end of this file. `frictionbench run --plugin
 * ./libmine.so` registers the solvers that they describe.
 */
#ifndef FRICTIONBENCH_SOLVER_PLUGIN_H
#define FRICTIONBENCH_SOLVER_PLUGIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Of this file. A library of another version is refused. */
#define FRICTIONBENCH_PLUGIN_VERSION 1

/** A sparse matrix in compressed rows; in compressed columns for a solver whose description says so.
 * The entries of row (column) k are those from starts[k] to starts[k + 1]. */
typedef struct {
  int64_t rows;           /**< number of rows; 0 for a matrix that the problem does not have */
  int64_t columns;        /**< number of columns */
  const int32_t* starts;  /**< rows + 1 (columns + 1) */
  const int32_t* indices; /**< column (row) of each entry */
  const double* values;   /**< of each entry */
} frictionbench_matrix;

/** The value of a setting. */
typedef struct {
  const char* name; /**< as described */
  double number;    /**< of a number or an integer; 0 or 1 for a boolean */
  const char* text; /**< of a text; as typed for the others */
} frictionbench_setting;

/** A problem, and what is asked. Everything it points to stays the caller's, and must not change.
 * n_c contacts have m = dimension * n_c unknowns, (N, T1, T2) or (N, T) for each contact. */
typedef struct {
  int32_t dimension;           /**< 2 or 3 */
  int64_t contacts;            /**< n_c */
  frictionbench_matrix W;      /**< m x m, with the compliance on its diagonal: u = W r + q */
  const double* q;             /**< m, free velocity */
  const double* mu;            /**< n_c, friction coefficients */
  const double* R;             /**< m, compliance, which W includes; null for rigid contacts */
  frictionbench_matrix M;      /**< n x n, M v = H r + f; no rows if the file has no global form */
  frictionbench_matrix H;      /**< n x m */
  const double* f;             /**< n; null without the global form */
  const double* w;             /**< m, u = H^T v + w; null without the global form */
  double tolerance;            /**< of residuals in the units below */
  const double* impulse_unit;  /**< n_c, factor of dist(r_i, K) */
  const double* velocity_unit; /**< n_c, factor of dist(v_i, K^*); of |<r_i, v_i>| the product */
  int64_t max_iterations;      /**< as the method counts */
  double time_limit;           /**< s, infinity for none; the process is killed soon after */
  const frictionbench_setting* settings; /**< in the order of the description */
  int64_t settings_count;                /**< number of settings */
} frictionbench_problem;

/** How a solve ended. */
enum frictionbench_status {
  FRICTIONBENCH_CONVERGED = 0,      /**< the solver's own test says that it is solved */
  FRICTIONBENCH_MAX_ITERATIONS = 1, /**< iteration limit */
  FRICTIONBENCH_STALLED = 2,        /**< no more progress */
  FRICTIONBENCH_INACCURATE = 3,     /**< solved, but not accurately, by its own test */
  FRICTIONBENCH_DIVERGED = 4,       /**< an iterate became infinite or NaN */
  FRICTIONBENCH_REFUSED = 5,        /**< the solver does not take such problems */
  FRICTIONBENCH_TIME_LIMIT = 6,     /**< time limit */
  FRICTIONBENCH_FAILED = 7          /**< anything else; say what in `message` */
};

/** The answer. The impulse is judged whatever the status. */
typedef struct {
  double* r;          /**< m, the impulse: at first, where to start */
  int32_t status;     /**< a frictionbench_status */
  int64_t iterations; /**< as the method counts; 0 at first */
  char message[256];  /**< one line for people, ended by 0; empty at first */
  /** Records a number that the solver counted or measured. */
  void (*report)(void* sink, const char* name, double value);
  void* sink; /**< first argument of `report` */
  /** m, of a solver that softens the problem: the compliance of what it solved, that of the problem
   * included. At first that of the problem, zero for rigid contacts. */
  double* compliance;
} frictionbench_answer;

/** FRICTIONBENCH_PLUGIN_VERSION as the library was compiled with. */
int32_t frictionbench_plugin_version(void);

/** The solvers of the library, as JSON that stays valid:
 *
 *     {"solvers": [{"name": "mine", "model": "ncp", "summary": "one line",
 *                   "storage": "rows", "dimensions": [2, 3],
 *                   "settings": [{"name": "step", "type": "number", "default": 1.5,
 *                                 "help": "step length"}]}]}
 *
 * A member "library" beside "solvers" may say of whose library and of which version they are.
 * model: ncp, ccp or lcp. storage: rows or columns; rows if absent. dimensions: both if absent.
 * type: number, integer, boolean or text. */
const char* frictionbench_describe(void);

/** Solves a problem with the solver of this name. A run calls it in a process of its own for each problem,
 * perhaps several times; a simulation, and Python, for one problem after another in one process. It is
 * never called from two threads concurrently. \returns 0; anything else is recorded as an error. */
int32_t frictionbench_solve(const char* solver, const frictionbench_problem* problem,
                            frictionbench_answer* answer);

#ifdef __cplusplus
}
#endif

#endif
