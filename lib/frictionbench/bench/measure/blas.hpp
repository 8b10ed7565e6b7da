/// \file
/// The BLAS in this process: which one it is, is decided when a program starts, not when it is built.
#pragma once

#include <string>

namespace frictionbench::bench {

/// Its name, with version and kernels if it tells: "OpenBLAS 0.3.21 .. Haswell SINGLE_THREADED", or that
/// of its file.
std::string blas_name();

/// One thread in BLAS and OpenMP from here on, whatever they and their environment say (contract:
/// measured times are those of one core), and kernels that the processor is good for. OpenBLAS takes
/// processors that are newer than itself for older ones, some of them for a Prescott of 2004: they get
/// the kernels for AVX-512 or AVX2 that later versions choose, unless OPENBLAS_CORETYPE says which. An
/// LU factorisation of a pile of 4000 contacts took half as long on such a processor.
/// Programs that this one starts inherit all that. Call before anything is measured, and before BLAS is used.
void prepare_blas();

/// To be called before the memory of this process is limited: OpenBLAS takes its working memory at the first
/// product that is not small, keeps it, and tries forever where a limit does not let it have any.
void reserve_blas_memory();

}  // namespace frictionbench::bench
