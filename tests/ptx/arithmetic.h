/* SPDX-License-Identifier: Apache-2.0
 *
 * What the processor that runs a test does right.  One that is emulated may leave out what
 * few programs need: valgrind rounds sums, products, quotients and roots to nearest
 * whatever the mode is, rounds a fused product that underflows by itself first, computes
 * long doubles as doubles, and takes NaN for unequal where only numbers should be.  Each of
 * these is asked by computing with it; a test leaves out what the processor would get
 * wrong, and nothing else.
 */
#ifndef PTX_ARITHMETIC_H
#define PTX_ARITHMETIC_H

#include <stdbool.h>

/* Sums and their like are rounded as fesetround() says. */
bool arithmetic_rounds(void);

/* A fused product is rounded together with the sum, also below the least normal number. */
bool arithmetic_fuses(void);

/* A long double has all the digits that the compiler says it has. */
bool arithmetic_extends(void);

/* Comparisons of vectors tell "unequal" from "unequal or NaN", and "equal" likewise. */
bool arithmetic_orders(void);

#endif
