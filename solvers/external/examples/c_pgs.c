/* A solver for frictionbench in C: projected Gauss-Seidel for the NCP, one contact after the other.
 *
 *   cc -O2 -shared -fPIC -I lib solvers/external/examples/c_pgs.c -o libc_pgs.so -lm
 *   frictionbench run FOLDER --plugin ./libc_pgs.so --solver c-pgs
 *
 * It stops when impulses hardly change, which is cheap to test and says little about how good they are: the
 * column `wrong` of `frictionbench summary` counts how often the judge disagrees.
 */
#define _POSIX_C_SOURCE 199309L /* for clock_gettime() */
#include <math.h>
#include <string.h>
#include <time.h>

#include "frictionbench/solver_plugin.h"

int32_t frictionbench_plugin_version(void) { return FRICTIONBENCH_PLUGIN_VERSION; }

const char* frictionbench_describe(void) {
  return "{\"solvers\": [{\"name\": \"c-pgs\", \"model\": \"ncp\", \"summary\": \"projected "
         "Gauss-Seidel in C\","
         " \"settings\": [{\"name\": \"relaxation\", \"type\": \"number\", \"default\": 1,"
         " \"help\": \"of the normal and the tangential step\"}]}]}";
}

/* The velocity of a contact at impulse r, and the entries of W on its diagonal. */
static void velocity(const frictionbench_problem* p, const double* r, int64_t contact, double* u,
                     double* diagonal) {
  for (int32_t a = 0; a < p->dimension; ++a) {
    const int64_t row = p->dimension * contact + a;
    u[a] = p->q[row];
    diagonal[a] = 0;
    for (int32_t k = p->W.starts[row]; k < p->W.starts[row + 1]; ++k) {
      u[a] += p->W.values[k] * r[p->W.indices[k]];
      if (p->W.indices[k] == row) diagonal[a] = p->W.values[k];
    }
  }
}

static double length(const double* tangent, int32_t entries) {
  return entries == 1 ? fabs(tangent[0]) : hypot(tangent[0], tangent[1]);
}

/* Shortens a vector to a length. */
static void shorten(double* tangent, int32_t entries, double most) {
  const double now = length(tangent, entries);
  for (int32_t a = 0; a < entries && now > most; ++a) tangent[a] *= most / now;
}

/* The largest change of an impulse, as a velocity in the units of the tolerance. */
static double sweep(const frictionbench_problem* p, double relaxation, double* r) {
  double change = 0;
  for (int64_t i = 0; i < p->contacts; ++i) {
    double u[3], diagonal[3], *own = r + p->dimension * i;
    const double old[3] = {own[0], own[1], p->dimension == 3 ? own[2] : 0};
    const int32_t tangents = p->dimension - 1;
    velocity(p, r, i, u, diagonal);
    if (!(diagonal[0] > 0)) continue;
    own[0] = fmax(0, own[0] - relaxation * u[0] / diagonal[0]);
    velocity(p, r, i, u, diagonal);
    double tangent = fmax(diagonal[1], tangents == 2 ? diagonal[2] : 0);
    if (!(tangent > 0))
      tangent = diagonal[0]; /* no impulse moves it there: any step leads to the cone */
    for (int32_t a = 1; a <= tangents; ++a) own[a] -= relaxation * u[a] / tangent;
    shorten(own + 1, tangents, p->mu[i] * own[0]);
    for (int32_t a = 0; a < p->dimension; ++a)
      change = fmax(change,
                    p->velocity_unit[i] * (a == 0 ? diagonal[0] : tangent) * fabs(own[a] - old[a]));
  }
  return change;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int32_t frictionbench_solve(const char* solver, const frictionbench_problem* problem,
                            frictionbench_answer* answer) {
  const double relaxation = problem->settings[0].number;
  const double start = now();
  (void)solver; /* there is only one */
  answer->status = FRICTIONBENCH_MAX_ITERATIONS;
  while (answer->iterations < problem->max_iterations) {
    ++answer->iterations;
    if (sweep(problem, relaxation, answer->r) <= 0.1 * problem->tolerance) {
      answer->status = FRICTIONBENCH_CONVERGED;
      break;
    }
    if (now() - start > problem->time_limit) {
      answer->status = FRICTIONBENCH_TIME_LIMIT;
      break;
    }
  }
  if (answer->status == FRICTIONBENCH_CONVERGED)
    strcpy(answer->message, "stopped when impulses no longer changed");
  answer->report(answer->sink, "sweeps", (double)answer->iterations);
  return 0;
}
