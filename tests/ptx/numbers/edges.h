/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers at the edges of their range, with chances, else any bits.
 */
#ifndef PTX_NUMBERS_EDGES_H
#define PTX_NUMBERS_EDGES_H

#include "../kernels.h"

uint64_t edge_bits(struct dice *dice, int bits);
double edge_double(struct dice *dice);
float edge_float(struct dice *dice);

/* How many of them a kernel is given, and over what it runs. */
enum { COUNT = 600 };
extern const struct extents number_extents;

#endif
