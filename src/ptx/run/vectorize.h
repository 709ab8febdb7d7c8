/* SPDX-License-Identifier: Apache-2.0
 *
 * Makes vectors of loops over lanes at -O2, too, in all functions that follow the include
 * line.
 */
#ifndef PTX_RUN_VECTORIZE_H
#define PTX_RUN_VECTORIZE_H

#if defined __OPTIMIZE__ && !defined __clang__
#pragma GCC optimize("tree-vectorize", "vect-cost-model=dynamic")
#endif

#endif
