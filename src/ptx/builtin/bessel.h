/* SPDX-License-Identifier: Apache-2.0
 *
 * Modified Bessel functions of the first kind, which C's library of mathematics does not have.
 */
#ifndef PTX_BUILTIN_BESSEL_H
#define PTX_BUILTIN_BESSEL_H

/* Returns the function of an order, 0 or 1. */
double ptx_bessel_i(int order, double x);

#endif
