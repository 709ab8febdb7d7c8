/* SPDX-License-Identifier: Apache-2.0
 *
 * A platform whose only worker is kept busy, so that the thread that submits also runs what it
 * submitted: what callgrind counts is then the same each time.
 */
#ifndef BENCH_HELD_H
#define BENCH_HELD_H

#include <stdio.h>
#include <stdlib.h>

#include <rill/rill.h>

#define TRY(call) \
    do { \
        if (call) { \
            fprintf(stderr, "%s: %s\n", rill_last_error()->operation, rill_last_error()->message); \
            exit(EXIT_FAILURE); \
        } \
    } while (0)

rill_platform *held_open(void);

/* Has the worker wait in a stream, until it is released. */
void held_begin(rill_stream *stream);
void held_end(void);

#endif
