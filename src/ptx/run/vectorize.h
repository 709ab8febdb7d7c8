/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops over lanes are worth vectors at -O2, too: this holds for the functions behind the
 * line that includes it.
 */
#ifndef PTX_RUN_VECTORIZE_H
#define PTX_RUN_VECTORIZE_H

#if defined __OPTIMIZE__ && !defined __clang__
#pragma GCC optimize("tree-vectorize", "vect-cost-model=dynamic")
#endif

#endif
