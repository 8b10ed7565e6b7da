/** \file
 * fb_dump.h: leaves a contact problem in a text file that `frictionbench convert` reads.
 *
 * For simulators: copy this one file and call fb_dump() at a step that fails. It needs C99 or C++11 and
 * nothing else. To replay the step:
 *
 *     frictionbench convert step42.txt -o step42.hdf5
 *     frictionbench solve step42.hdf5 --solver ncp-hybrid
 *
 * The problem is u = W r + q (local form), or M v = H r + f with u = H^T v + w (global form): r impulses,
 * u velocities at the contacts, q or w the velocities without impulses. Rows come contact by contact, the
 * normal first, (N, T1, T2) or (N, T) in 2D, with r_N >= 0 pushing the bodies apart; then rows of joints
 * and limits, if any. Indices count from 0. Units are the simulator's own.
 *
 *     fb_problem p = {0};                        in C++: fb_problem p{};
 *     p.dimension = 3;
 *     p.contacts = n;
 *     p.mu = mu;                                 n coefficients of friction
 *     p.W = fb_dense(W);                         3n x 3n numbers, row by row
 *     p.q = q;                                   3n numbers
 *     p.impulse = r;                             optional: what the simulator's solver ended with
 *     if (fb_dump("step42.txt", &p) != 0) perror("step42.txt");
 *
 * Part of frictionbench. SPDX-License-Identifier: BSD-3-Clause
 */
#ifndef FB_DUMP_H
#define FB_DUMP_H

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/** A matrix: dense, row by row, or entries (row[k], col[k], value[k]) in any order, which are added where
 * an index is repeated. */
typedef struct fb_matrix {
  const double* value; /**< of entries */
  const int* row;      /**< NULL: dense */
  const int* col;      /**< NULL: dense */
  size_t entries;      /**< of row, col and value; not read if dense */
} fb_matrix;

/** One problem. Leave out what is optional by 0. */
typedef struct fb_problem {
  int dimension;    /**< of space, 2 or 3 */
  int contacts;     /**< number of contacts */
  const double* mu; /**< coefficients of friction, one for each contact */

  /* Local form; leave out if M is there. m = dimension * contacts + other_rows. */
  fb_matrix W;     /**< Delassus matrix, m x m */
  const double* q; /**< m */

  /* Global form. */
  int dofs;        /**< n */
  fb_matrix M;     /**< mass matrix, n x n */
  fb_matrix H;     /**< n x m, the transposed Jacobian of all rows */
  const double* f; /**< n */
  const double* w; /**< m */

  /* All of these are optional. */

  /** Sets of the rows behind the contacts, one per line: first "equality(1)" for each row of a joint, then
   * "interval(0,inf)" for a limit; `frictionbench list sets` has all. */
  const char* sets;
  int other_rows;           /**< how many rows those sets have */
  const double* compliance; /**< diagonal of R in u = (W + R) r + q, m */
  const double* impulse;    /**< r, m */
  const double* velocity;   /**< v, n */
  /** Two bodies and a feature for each contact and each set: numbers that stay the same from step to
   * step. */
  const int* bodies;
  const char* title;       /**< one line */
  const char* description; /**< one line: which simulator, which scene, which step */
} fb_problem;

/** A dense matrix, row by row. */
static inline fb_matrix fb_dense(const double* value) {
  fb_matrix matrix;
  memset(&matrix, 0, sizeof matrix);
  matrix.value = value;
  return matrix;
}

/** A matrix by its entries. */
static inline fb_matrix fb_triplets(size_t entries, const int* row, const int* col,
                                    const double* value) {
  fb_matrix matrix;
  matrix.value = value;
  matrix.row = row;
  matrix.col = col;
  matrix.entries = entries;
  return matrix;
}

/** A number with all its digits, and a point whatever the locale has. */
static inline void fb_put_number_(FILE* file, double x, char end) {
  char text[64];
  const char* from;
  if (isnan(x) || isinf(x)) {
    fprintf(file, "%s%c", isnan(x) ? "nan" : x < 0 ? "-inf" : "inf", end);
    return;
  }
  snprintf(text, sizeof text, "%.17g", x);
  for (from = text; *from; ++from) {
    if (strchr("+-0123456789e", *from)) {
      fputc(*from, file);
    } else {
      fputc('.', file);
      while (from[1] && !strchr("+-0123456789e", from[1])) ++from;
    }
  }
  fputc(end, file);
}

/** A named list; nothing if it is not there. */
static inline void fb_put_vector_(FILE* file, const char* name, const double* x, size_t size) {
  size_t k;
  if (!x) return;
  fprintf(file, "%s %lu\n", name, (unsigned long)size);
  for (k = 0; k < size; ++k) fb_put_number_(file, x[k], '\n');
}

/** A named list of the entries that are not zero. */
static inline void fb_put_matrix_(FILE* file, const char* name, const fb_matrix* matrix,
                                  size_t rows, size_t cols) {
  const int dense = !matrix->row || !matrix->col;
  const size_t size = dense ? rows * cols : matrix->entries;
  size_t k, entries = 0;
  for (k = 0; k < size; ++k) entries += matrix->value[k] != 0;
  fprintf(file, "%s %lu\n", name, (unsigned long)entries);
  for (k = 0; k < size; ++k) {
    if (!(matrix->value[k] != 0)) continue;
    if (dense)
      fprintf(file, "%lu %lu ", (unsigned long)(k / cols), (unsigned long)(k % cols));
    else
      fprintf(file, "%d %d ", matrix->row[k], matrix->col[k]);
    fb_put_number_(file, matrix->value[k], '\n');
  }
}

/** A named text, made one line. */
static inline void fb_put_line_(FILE* file, const char* name, const char* text) {
  if (!text || !*text) return;
  fprintf(file, "%s ", name);
  for (; *text; ++text) fputc(*text == '\n' || *text == '\r' ? ' ' : *text, file);
  fputc('\n', file);
}

/** The sets, one per line; returns how many. Without a file it only counts. */
static inline size_t fb_put_sets_(FILE* file, const char* sets) {
  size_t count = 0;
  int in_line = 0;
  for (; sets && *sets; ++sets) {
    const int ends = *sets == '\n';
    if (!ends && file) fputc(*sets, file);
    if (!ends && !in_line) ++count;
    if (ends && in_line && file) fputc('\n', file);
    in_line = !ends;
  }
  if (in_line && file) fputc('\n', file);
  return count;
}

/** Writes a file. Returns 0, or the value of errno: EINVAL if the problem lacks something, EEXIST if there
 * is such a file already, which stays as it is; a file that could not be completed is removed. */
static inline int fb_dump(const char* path, const fb_problem* p) {
  const size_t contacts = p->contacts > 0 ? (size_t)p->contacts : 0;
  const size_t others = p->other_rows > 0 ? (size_t)p->other_rows : 0;
  const size_t dofs = p->dofs > 0 ? (size_t)p->dofs : 0;
  const size_t m = (p->dimension > 0 ? (size_t)p->dimension : 0) * contacts + others;
  const size_t sets = fb_put_sets_(NULL, p->sets);
  FILE* file;
  size_t k;
  int failed;

  if ((p->dimension != 2 && p->dimension != 3) || (contacts && !p->mu) || (others && !sets) ||
      (p->M.value ? !p->H.value || !p->f || !p->w : !p->W.value || !p->q))
    return errno = EINVAL;
  file = fopen(path, "r");
  if (file) {
    fclose(file);
    return errno = EEXIST;
  }
  file = fopen(path, "w");
  if (!file) return errno;

  fprintf(file, "frictionbench problem 1\n");
  fb_put_line_(file, "title", p->title);
  fb_put_line_(file, "description", p->description);
  fprintf(file, "dimension %d\ncontacts %lu\n", p->dimension, (unsigned long)contacts);
  if (sets) fprintf(file, "sets %lu\n", (unsigned long)sets);
  fb_put_sets_(file, p->sets);
  fprintf(file, "mu %lu\n", (unsigned long)contacts);
  for (k = 0; k < contacts; ++k) fb_put_number_(file, p->mu[k], '\n');
  if (p->M.value) {
    fb_put_matrix_(file, "M", &p->M, dofs, dofs);
    fb_put_matrix_(file, "H", &p->H, dofs, m);
    fb_put_vector_(file, "f", p->f, dofs);
    fb_put_vector_(file, "w", p->w, m);
    fb_put_vector_(file, "v", p->velocity, dofs);
  } else {
    fb_put_matrix_(file, "W", &p->W, m, m);
    fb_put_vector_(file, "q", p->q, m);
  }
  fb_put_vector_(file, "compliance", p->compliance, m);
  fb_put_vector_(file, "r", p->impulse, m);
  if (p->bodies) {
    fprintf(file, "bodies %lu\n", (unsigned long)(contacts + sets));
    for (k = 0; k < contacts + sets; ++k)
      fprintf(file, "%d %d %d\n", p->bodies[3 * k], p->bodies[3 * k + 1], p->bodies[3 * k + 2]);
  }
  fprintf(file, "end\n");
  errno = 0;
  failed = ferror(file);
  if (fclose(file) != 0) failed = 1;
  if (!failed) return 0;
  failed = errno ? errno : EIO;
  remove(path);
  return errno = failed;
}

#endif
