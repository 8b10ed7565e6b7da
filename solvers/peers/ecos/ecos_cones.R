# The CCP as a cone program for ECOS: README.md.
#
# min q.r + t over (mu r_N, r_T) in second-order cones (r_N >= 0 alone, and r_T left out, without friction) and
# ||(J^T r, t - 1/2)|| <= t + 1/2, which is t >= r.W r / 2 with W = J J^T, as ECOS takes no quadratic cost.
suppressPackageStartupMessages({
  library(ECOSolveR)
  library(Matrix)
})
most_contacts <- 700  # dense: the root of W is a part of G
# Of the tolerance: it is for costs, quadratic in velocities.
factor <- if ("--tight" %in% commandArgs(TRUE)) 1e-5 else 1

array_of <- function(request, name) {
  place <- request$arrays[[name]]
  block <- file(request$file, "r+b")
  on.exit(close(block))
  seek(block, place$offset, rw = "read")
  if (place$type == "int32") readBin(block, "integer", place$count, 4) else readBin(block, "double", place$count, 8)
}

write_impulse <- function(request, r) {
  block <- file(request$file, "r+b")
  on.exit(close(block))
  seek(block, request$arrays$r$offset, rw = "write")
  writeBin(as.double(r), block, 8)
}

# In the units of protocol.py: the same problem, trace(W_ii) = dimension and max |q| = 1.
problem_of <- function(request) {
  q <- array_of(request, "q")
  size <- length(q)
  W <- matrix(0, size, size)
  W[cbind(rep(seq_len(size), diff(array_of(request, "W.indptr"))), array_of(request, "W.indices") + 1)] <-
    array_of(request, "W.data")
  mean_of <- colMeans(matrix(diag(W), request$dimension))
  mean_of[mean_of <= 0] <- if (any(mean_of > 0)) mean(mean_of[mean_of > 0]) else 1
  unit <- rep(1 / sqrt(mean_of), each = request$dimension)
  velocity <- max(abs(unit * q))
  if (velocity == 0) velocity <- 1
  list(W = unit * t(unit * (W + t(W)) / 2), q = unit * q / velocity, mu = array_of(request, "mu"),
       impulse = unit * velocity)
}

# J^T with J J^T = W; chol() warns that W is singular, as most are.
root_of <- function(W) {
  if (all(diag(W) <= 0)) return(matrix(0, 1, ncol(W)))
  upper <- suppressWarnings(chol(W, pivot = TRUE))
  upper[seq_len(attr(upper, "rank")), order(attr(upper, "pivot")), drop = FALSE]
}

solve_problem <- function(request) {
  if (request$contacts > most_contacts)
    return(list(status = "refused", message = sprintf("dense: at most %d contacts", most_contacts)))
  problem <- problem_of(request)
  dimension <- request$dimension
  rows <- matrix(seq_along(problem$q), dimension)
  rubs <- problem$mu > 0
  scale <- rep(1, length(rows))
  scale[rows[1, ]] <- ifelse(rubs, problem$mu, 1)
  unknowns <- c(rows[1, !rubs], rows[, rubs])
  root <- root_of(problem$W)[, unknowns, drop = FALSE]
  count <- length(unknowns)
  G <- -rbind(cbind(Diagonal(x = scale[unknowns]), 0), Matrix(c(rep(0, count), 1), 2, count + 1, byrow = TRUE),
              cbind(root, 0))
  h <- c(rep(0, count), 0.5, -0.5, rep(0, nrow(root)))
  dims <- list(l = sum(!rubs), q = as.integer(c(rep(dimension, sum(rubs)), nrow(root) + 2)), e = 0L)
  tolerance <- factor * request$tolerance
  control <- ecos.control(maxit = as.integer(min(request$max_iterations, .Machine$integer.max)), feastol = tolerance,
                          reltol = tolerance, abstol = tolerance)
  found <- ECOS_csolve(c = c(problem$q[unknowns], 1), G = as(as(G, "generalMatrix"), "CsparseMatrix"), h = h, dims = dims,
                       control = control)
  r <- numeric(length(rows))
  r[unknowns] <- found$x[seq_len(count)]
  if (all(is.finite(r))) write_impulse(request, problem$impulse * r)
  code <- as.character(found$retcodes[["exitFlag"]])
  status <- c("0" = "converged", "10" = "inaccurate", "-1" = "max_iterations", "-2" = "stalled", "-3" = "stalled")[code]
  list(status = if (is.na(status)) "error" else unname(status), iterations = found$retcodes[["iter"]],
       message = paste("ECOS:", found$infostring), counters = as.list(found$summary[c("pres", "dres", "gap")]))
}

input <- file("stdin", "r")
while (length(line <- readLines(input, 1)) > 0) {
  request <- jsonlite::fromJSON(line)
  answer <- if (!is.null(request$protocol)) list(protocol = "frictionbench-solver", version = 1)
            else if (request$contacts == 0) list(status = "converged")
            else solve_problem(request)
  cat(jsonlite::toJSON(c(list(id = request$id), answer), auto_unbox = TRUE, digits = NA, na = "null"), "\n", sep = "")
  flush(stdout())
}
