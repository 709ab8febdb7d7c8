/* SPDX-License-Identifier: Apache-2.0
 *
 * How the examples check their calls: what fails ends the program and says why.
 */
#ifndef EXAMPLES_MUST_H
#define EXAMPLES_MUST_H

#include <rill/rill.h>

#include <stdio.h>
#include <stdlib.h>

#define MUST(call) must((call), #call, __FILE__, __LINE__)

static inline void must(rill_status status, const char *call, const char *file, int line)
{
    if (status == RILL_SUCCESS) return;
    const rill_error *error = rill_last_error();
    const char *name = rill_error_name(status);
    fprintf(stderr, "%s:%d: %s\n  %s: %s\n", file, line, call, name ? name : "?", error->message);
    if (error->cause.status)
        fprintf(stderr, "  first caused by %s on %s\n", error->cause.operation,
                error->cause.object);
    exit(1);
}

#endif
