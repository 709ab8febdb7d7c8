/* SPDX-License-Identifier: Apache-2.0
 *
 * What PTX is compared with: the loop as a compiler makes it at -O1, one element after
 * the other.
 */
#ifndef BENCH_PTX_SCALAR_H
#define BENCH_PTX_SCALAR_H

void scalar_saxpy(unsigned n, float a, const float *x, float *y);

#endif
