/* SPDX-License-Identifier: Apache-2.0
 *
 * Public calls of libraries that rill plays, the driver's and the runtime's, by their names.
 */
#ifndef CS_ENTRY_H
#define CS_ENTRY_H

#include <stdbool.h>
#include <stdint.h>

#include "site/launch.h"

struct cs_entry {
    struct cs_entry *next;
    cs_launch_fn *launch; /* of a call that stubs of kernels make, or NULL */
    char name[];          /* as programs write it: "cuMemcpyHtoDAsync"     */
};

/* Returns the public call that has a return address in it, or NULL if it is in none, or in one
 * of <rill/...>.  What is returned stays. */
const struct cs_entry *cs_entry_at(uintptr_t address);

/* Tells by the name of a function, as the linker has it, whether it is an overload of a call that
 * a header of CUDA has, as cudaMalloc<float>() is of cudaMalloc(). */
bool cs_entry_is_overload(const struct cs_entry *entry, const char *function);

#endif
