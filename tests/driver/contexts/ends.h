/* SPDX-License-Identifier: Apache-2.0
 *
 * Ways in which a context ends, and what is asked afterwards.
 */
#ifndef ORACLE_CONTEXTS_ENDS_H
#define ORACLE_CONTEXTS_ENDS_H

#include "../errors/context_state.h"

/* A context of one kind, current in the calling thread, and nothing else. */
enum way { DESTROYED, RELEASED, RESET };

CUcontext begin(T *t, enum way way);
/* Ends it; it stays current, which for DESTROYED another thread sees to. */
void end(T *t, enum way way, CUcontext c);
/* Does that, and makes a context of the program's own current. */
CUcontext end_elsewhere(T *t, enum way way, CUcontext c);

/* Says a result and a number, "flags=SUCCESS:8". */
void say_number(T *t, const char *label, CUresult r, unsigned long long number);
/* Says the current context's flags. */
void say_flags(T *t, const char *label);

/* A case for each way in which a context ends. */
#define CASES_OF_ENDS(n)                                                                           \
    static void n(T *t, enum way way);                                                             \
    CASE_RAW(ctx, n##_destroyed) { n(t, DESTROYED); }                                              \
    CASE_RAW(ctx, n##_released) { n(t, RELEASED); }                                                \
    CASE_RAW(ctx, n##_reset) { n(t, RESET); }                                                      \
    static void n(T *t, enum way way)

/* The same for the ways in which a primary one ends. */
#define CASES_OF_PRIMARY_ENDS(n)                                                                   \
    static void n(T *t, enum way way);                                                             \
    CASE_RAW(ctx, n##_released) { n(t, RELEASED); }                                                \
    CASE_RAW(ctx, n##_reset) { n(t, RESET); }                                                      \
    static void n(T *t, enum way way)

#endif
