/* SPDX-License-Identifier: Apache-2.0
 *
 * A program that uses everything the simulator has for streams, and goes on or gives up
 * where an allocation fails.
 */
#ifndef FAULTS_PROGRAM_H
#define FAULTS_PROGRAM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <rill/rill.h>

enum { BURST = 300 }; /* host functions, enough for several chunks of a queue */

struct program {
    bool gives_up;        /* at the first failure; else tries again */
    int failures;
    const char *call;     /* that failed for another reason, or did so twice */
    rill_status status;

    rill_platform *platform;
    rill_context *context, *own, *second; /* primary, own, of device 1 */
    rill_stream *stream, *other, *far;
    rill_event *event, *timed, *begun;
    rill_module *module;
    rill_pool *pool;
    void *pinned;
    char *registered;
    rill_devptr device, pitched, far_memory, pooled, moved;
    rill_kernel *add, *many, *shared;

    atomic_int ran, destroyed;
    int given, called;    /* functions with a destroy; callbacks */
    atomic_int called_back;
    uint32_t results[4];
};

/* Notes the call that failed for another reason than memory. */
void program_stop(struct program *p, const char *call, rill_status status);

/* Makes everything and uses it; false when the program must end. */
bool program_use_everything(struct program *p);

/* Gives everything back that was made. */
void program_end(struct program *p);

#endif
