/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls that the list of all calls (support/calls.h) lacks, since they give their object back, or
 * are the simulator's own; and those that it makes with arguments that only a fake takes.
 */
#ifndef OWN_CALLS_H
#define OWN_CALLS_H

#include <stdbool.h>

#include "support/calls.h"

/* Calls with what they have to be tried on.  They are without roles: these are made to succeed. */
struct call_set {
    const struct call *calls;
    size_t count;
    const char *backend;
    rill_status (*prepare)(void); /* before a machine is opened; or NULL */
};

#define CALL_SET(list) .calls = (list), .count = sizeof(list) / sizeof *(list)

extern const struct call_set own_calls, asking_calls, backend_calls, layer_calls, shared_calls;
extern const struct call_set timed_calls, checked_calls, traced_calls, cuda_calls;

/* Begins a process of its own for a call, which may change what its thread may do from then on.
 * Returns true in the caller's, once the other has ended well. */
bool is_left_to_child(void);

/* Tries the calls that a kernel makes, by name or all of them, and writes their lines. */
void measure_kernel_calls(const char *only);

/* How the `before` of one of them went. */
extern rill_status preparation;

#define PREPARE(call) \
    do { \
        if (!preparation) preparation = call; \
    } while (0)

/* as_FUNCTION() makes the call with these arguments. */
#define AS(function, ...)                                 \
    static rill_status as_##function(struct arguments *a) \
    {                                                     \
        (void)a;                                          \
        return function(__VA_ARGS__);                     \
    }

/* The same for a function that returns no status, or one that says nothing of the call. */
#define ASK(function, ...)                                \
    static rill_status as_##function(struct arguments *a) \
    {                                                     \
        (void)a;                                          \
        (void)function(__VA_ARGS__);                      \
        return RILL_SUCCESS;                              \
    }

#define OWN_CALL(name, before) { #name, NULL, as_##name, { { NULL, 0, 0 } }, before, NULL }

#endif
