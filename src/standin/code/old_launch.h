/* SPDX-License-Identifier: Apache-2.0
 *
 * The launches of old.
 */
#ifndef SI_OLD_LAUNCH_H
#define SI_OLD_LAUNCH_H

#include "standin/code/function.h"

/* Frees what was set for a function, which goes. */
void si_launch_setup_free(struct si_function *function);

/* Sets what a launch of today was given, for a function that has a setup. */
void si_launch_setup_set(struct si_function *function, const rill_kernel_op *op);

/* Does so if the function has one. */
static inline void si_launch_setup_follow(struct si_function *function, const rill_kernel_op *op)
{
    if (__builtin_expect(!!atomic_load_explicit(&function->setup, memory_order_relaxed), 0))
        si_launch_setup_set(function, op);
}

#endif
