/* SPDX-License-Identifier: Apache-2.0
 *
 * A library that says it is libcuda, for tests without a GPU: every entry of
 * backend-cuda/driver/entries.h answers success, those that make or find something give
 * something out, and the test decides which version it has, what it lacks, which of
 * its calls fails, and sees which were made.  It is loaded as a library, so its
 * controls are found by name: fake_load() in fake_control.c does that.
 */
#ifndef TESTS_CUDA_FAKE_H
#define TESTS_CUDA_FAKE_H

/* CONTROL(type, name, parameters) */
#define FAKE_CONTROLS(CONTROL) \
    /* Everything as at the start: a driver for CUDA 13.0 with two devices. */ \
    CONTROL(void, reset, (void)) \
    CONTROL(void, set_version, (int version)) \
    CONTROL(void, set_devices, (int count)) \
    /* It lacks this entry, "cuGraphAddNode", whatever its version. */ \
    CONTROL(void, hide, (const char *name)) \
    /* Of the calls of that name from now on, or of all when it is NULL, the one after \
     * `after` others answers `result`; from `always` on all of them do. */ \
    CONTROL(void, refuse, (const char *name, int result, long after, int always)) \
    /* The name of the call that failed last, or NULL. */ \
    CONTROL(const char *, failed, (void)) \
    /* How often a call was made, or all of them; since the last reset. */ \
    CONTROL(long, calls, (const char *name)) \
    /* Of streams, events, contexts, modules, graphs, execs and user objects: made and \
     * not given back. */ \
    CONTROL(long, live, (void)) \
    /* Runs the host functions that were submitted, or what came instead, drops them. */ \
    CONTROL(void, run, (void)) \
    CONTROL(void, drop, (void)) \
    /* The calling thread's current context. */ \
    CONTROL(void *, current, (void)) \
    CONTROL(void, set_current, (void *context))

struct fake {
#define FAKE_FIELD(type, name, parameters) type(*name) parameters;
    FAKE_CONTROLS(FAKE_FIELD)
#undef FAKE_FIELD
};

/* Where it is, from the top build folder. */
#define FAKE_PATH "./tests/cuda/fake_libcuda.so"

/* Loads it and finds its controls, resets it, and forgets the driver in use. */
const struct fake *fake_load(void);

/* Opens a platform of the CUDA backend over it. */
struct rill_platform;
int fake_open(struct rill_platform **platform);

/* Loads it and fills a world on a platform over it, which world_close() ends. */
struct world;
const struct fake *fake_world(struct world *world);

#endif
