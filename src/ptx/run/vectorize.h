/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes vectors of loops over lanes at -O2, too, in all functions that follow the include
 * line.
 */
#ifndef PTX_RUN_VECTORIZE_H
#define PTX_RUN_VECTORIZE_H

/* Without vectors, gcc 12 for RISC-V packs numbers into general registers, and confuses the high
 * halves of their products. */
#if defined __riscv && !defined __riscv_vector && !defined __clang__
#pragma GCC optimize("no-tree-vectorize")
#elif defined __OPTIMIZE__ && !defined __clang__
#pragma GCC optimize("tree-vectorize", "vect-cost-model=dynamic")
#endif

#endif
