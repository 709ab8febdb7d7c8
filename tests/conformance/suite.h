/* SPDX-License-Identifier: Apache-2.0
 *
 * The conformance suite: what every backend must answer, asked through
 * <rill/rill.h> alone.  Each file holds a group of tests; a runner of a few
 * lines (run_sim.c) opens its backend and runs all groups as one cmocka group.
 *
 *     run_sim                      everything
 *     run_sim 'streams: *'         the tests whose names match
 *
 * A test's name is its function's with blanks: functions are named as the
 * sentence that they prove.
 */
#ifndef CONFORMANCE_SUITE_H
#define CONFORMANCE_SUITE_H

#include <rill/rill.h>

#include "support/cmocka_all.h"

struct suite_group {
    const char *name;
    int devices; /* that its tests need; the group is left out where there are fewer */
    const struct CMUnitTest *tests;
    size_t count;
};

/* Defines the group NAME_group over a table `tests` of cmocka_unit_test()s; the
 * list of all groups is in suite.c. */
#define SUITE_GROUP(name, devices) \
    extern const struct suite_group name##_group; \
    const struct suite_group name##_group = { #name, devices, tests, sizeof tests / sizeof *tests }

/* What may differ from backend to backend, with the reason beside it. */
struct suite_expectations {
    /* A failed device works again after rill_close() and rill_open().  The
     * driver needs a new process; a simulator has nothing that is broken. */
    int reopening_mends;
    /* A host function that waits for what comes after itself is told so.  The
     * driver lets it wait for good, as measured. */
    int refuses_endless_waits;
    /* A graph does not move into itself.  The driver lets it, as measured, and
     * it can never be destroyed. */
    int refuses_swallowing;
    /* Kernels may be C functions.  A GPU runs code of its own. */
    int runs_functions;
};

struct suite_backend {
    const char *name;
    /* Opens a platform with at least `devices` devices. */
    rill_status (*open)(int devices, rill_platform **platform);
    /* A kernel without parameters that fails with RILL_ERROR_LAUNCH_FAILED, and
     * a part of what is then said about it. */
    const rill_function *fault;
    const char *fault_message;
    struct suite_expectations expects;
};

/* The backend under test. */
extern const struct suite_backend *suite;

/* Runs every group, or what `pattern` matches; returns what main returns. */
int suite_run(const struct suite_backend *backend, const char *pattern);

#endif
