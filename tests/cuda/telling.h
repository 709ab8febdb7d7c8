/* SPDX-License-Identifier: Apache-2.0
 *
 * A fake driver that says which call it was given, with what, and the scene of the tests that
 * submit operations to it.
 */
#ifndef TESTS_CUDA_TELLING_H
#define TESTS_CUDA_TELLING_H

#include <rill/rill.h>

#include "backend-cuda/driver/driver.h"
#include "cuda/fake.h"

/* The last call, and what it was given. */
extern char telling_said[256];

/* What the driver answers. */
extern CUresult telling_answer;

/* Memory of 4096 bytes: of device 0, host memory, and a pool's of device 1. */
#define DEVICE UINT64_C(0x1000000)
#define PINNED UINT64_C(0x2000000)
#define FAR UINT64_C(0x3000000)
#define NOWHERE UINT64_C(0x9000000)
#define ROOM 4096

struct scene {
    const struct fake *fake;
    rill_platform *platform;
    rill_context *context, *peer;
    rill_stream *stream;
};

/* Set up a scene for a test, with a driver that answers success, and clear it. */
int telling_set_up(void **state);
int telling_tear_down(void **state);

/* Submits an operation, and expects the driver to be given this call. */
void telling_submits(struct scene *scene, rill_op op, const char *expected);

/* Submits an operation, and expects it to be refused with this argument at fault, or none if it is
 * NULL. */
void telling_blames(struct scene *scene, rill_op op, const char *argument);

#define TELLING_TEST(name) cmocka_unit_test_setup_teardown(name, telling_set_up, telling_tear_down)

#endif
