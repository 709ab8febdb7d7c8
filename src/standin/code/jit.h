/* SPDX-License-Identifier: Apache-2.0
 *
 * Options of the driver's compiler, as a program passes them.  What they ask of the compiler
 * changes nothing; where they give room for what it has to say, that is said.
 */
#ifndef SI_JIT_H
#define SI_JIT_H

#include "standin/abi/abi.h"

struct si_jit {
    unsigned count;
    const int *options;
    void **values;
};

CUresult si_jit_check(const struct si_jit *jit);

/* Says what is wrong with the image; `error` is "" if nothing is.  Called at most once for
 * each struct, since the room for it is gone then. */
void si_jit_say(const struct si_jit *jit, const char *error);

/* Says how long a module took to load, from `since` on, in milliseconds.  Drivers do not say
 * it for libraries. */
void si_jit_took(const struct si_jit *jit, uint64_t since);

#endif
