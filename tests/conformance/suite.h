/* SPDX-License-Identifier: Apache-2.0
 *
 * The conformance suite: what every backend must answer, asked through
 * <rill/rill.h> alone.  Each file holds a group of tests; a runner of a few
 * lines (run_sim.c) opens its backend and runs all groups.
 *
 *     run_sim                      everything
 *     run_sim 'streams: *'         the tests whose names match
 *     run_sim --list               their names
 *     run_sim --apart 8            each in a process of its own, eight at a time
 *     run_sim --together           all in one process
 *
 * A test's name is its function's with blanks: functions are named as the
 * sentence that they prove.
 */
#ifndef CONFORMANCE_SUITE_H
#define CONFORMANCE_SUITE_H

#include <stdbool.h>
#include <stdint.h>

#include <rill/rill.h>

#include "support/cmocka_all.h"

/* Sizes: more bytes than any device or machine has; two factors whose product no size has; as many
 * addresses as can be reserved, though there may be less memory. */
#if SIZE_MAX > UINT32_MAX
#define TOO_MUCH ((size_t)1 << 50)
#define TOO_MANY ((size_t)1 << 33)
#define MANY_ADDRESSES ((size_t)1 << 40)
#else
#define TOO_MUCH ((size_t)3 << 30)
#define TOO_MANY ((size_t)1 << 17)
#define MANY_ADDRESSES ((size_t)1 << 30)
#endif

struct suite_group {
    const char *name;
    int devices; /* that its tests need; they are skipped where there are fewer */
    const struct CMUnitTest *tests;
    size_t count;
};

/* Defines the group NAME_group over a table `tests` of cmocka_unit_test()s; the
 * list of all groups is in groups.c. */
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
    /* A node that was removed leaves a handle that is nobody's.  The driver hands its
     * address out again. */
    int nodes_stay_gone;
    /* What an exec runs keeps the handles of graphs inside others, which then say that
     * they are gone.  Those of the driver are gone with them. */
    int execs_keep_handles;
    /* A graph inside another goes although a stream captures into it, which breaks the
     * capture.  The driver crashes then, and so that is refused. */
    int breaks_captures_inside;
    /* Kernels may be C functions.  A GPU runs code of its own. */
    int runs_functions;
    /* The record of a fault names the kernel and the stream.  The driver says that
     * there was one, not where. */
    int names_faults;
    /* Code is loaded and unloaded, contexts end and conditionals are made ready while
     * streams are held.  The driver waits until nothing runs. */
    int loads_beside_work;
    /* A held stream holds no other, however many there are.  Hardware has a few dozen
     * queues, which streams share. */
    int has_a_queue_for_each_stream;
    /* A held stream takes any number of operations.  A queue of the hardware's holds
     * about a thousand; then the call waits. */
    int queues_without_bound;
    /* A word of 64 bits lies in its allocation as a whole.  The driver looks at the
     * half in front, as measured. */
    int bounds_whole_words;
    /* What is freed is free again to the byte.  The driver keeps some memory for itself
     * when something is used for the first time. */
    int counts_every_byte;
    /* A capture that ends unjoined names the streams that are still out, however they
     * were taken in.  The driver does not say which they are; those that were forked
     * off with rill_stream_fork() are known all the same. */
    int names_unjoined_streams;
    /* One thread may end a capture while another puts work into its stream, in no order.
     * In driver 580 cuStreamEndCapture() beside cuLaunchHostFunc() ends the process. */
    int captures_stand_disputes;
    /* What an exec that was destroyed while it ran kept alive is given back when it has
     * ended.  The driver was not seen to do so without more calls. */
    int gives_back_unasked;
    /* Graph memory is counted in the simulator's way.  How the driver counts what graphs
     * leave behind is not known in full. */
    int counts_graph_memory_by_model;
    /* The text of a graph has these words.  The driver's text is its own. */
    int words_graph_text;
};

struct suite_backend {
    const char *name;
    /* A failed device stays failed for its process, so each test has one, and this
     * many run at a time; 0: all in one process. */
    int apart;
    /* Opens a platform with at least `devices` devices. */
    rill_status (*open)(int devices, rill_platform **platform);
    /* Returns how many blocks of memory the library holds; NULL: that cannot be asked. */
    long (*blocks)(void);
    /* Returns how many objects tests hold, where calls fail. */
    long (*objects)(void);
    /* Whether that status means that this machine has nothing to test; NULL: none
     * does. */
    bool (*excuses)(rill_status status);
    /* A kernel without parameters that fails with RILL_ERROR_LAUNCH_FAILED, and
     * a part of what is then said about it. */
    const rill_function *fault;
    const char *fault_message;
    /* The code of a kernel that a test has as a C function too; NULL: the C function
     * is all that this backend needs. */
    const char *(*code_of)(const char *kernel);
    struct suite_expectations expects;
};

/* First in a test that looks at what is free on the device, or takes nearly all of it:
 * no other test runs beside it, in whatever process. */
void needs_device_alone(void);

/* The backend under test. */
extern const struct suite_backend *suite;

/* What main returns. */
int suite_main(const struct suite_backend *backend, int count, char **arguments);

/* Ends a test that cannot be asked here.  cmocka's own says no reason. */
#undef skip
#define skip_since(why) suite_skip(why, __FILE__, __LINE__)
void suite_skip(const char *why, const char *file, int line);

#endif
