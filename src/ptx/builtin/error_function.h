/* SPDX-License-Identifier: Apache-2.0
 *
 * The inverses of the error function, and what C's library of mathematics has not of it besides.
 */
#ifndef PTX_BUILTIN_ERROR_FUNCTION_H
#define PTX_BUILTIN_ERROR_FUNCTION_H

/* Return the x whose erf(x) or erfc(x) is the number; infinities at the ends of their ranges, and
 * NaN outside. */
double ptx_inverse_erf(double y);
double ptx_inverse_erfc(double q);

/* Returns exp(x * x) * erfc(x), which neither overflows nor vanishes for large x. */
double ptx_scaled_erfc(double x);

#endif
