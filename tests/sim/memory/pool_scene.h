/* SPDX-License-Identifier: Apache-2.0
 *
 * What the tests of pools share: two devices as large as the real chunk of a pool,
 * 32 MiB, needs, and a pool of the first that is made anew for each test.
 */
#ifndef TESTS_SIM_POOL_SCENE_H
#define TESTS_SIM_POOL_SCENE_H

#include "backend-sim/memory/pool.h"
#include "backend-sim/stream/stream.h"
#include "sim/machine.h"

#define CHUNK (32 * MIB)
#define DEVICE (4096 * MIB)

static struct machine machine;
static rill_pool *pool; /* of device 0; made anew for each test */

static inline int setup(void **state)
{
    (void)state;
    machine_open(&machine, DEVICE);
    return 0;
}

static inline int teardown(void **state)
{
    (void)state;
    machine_close(&machine);
    return 0;
}

static inline rill_pool *make_pool(uint64_t maximum)
{
    const rill_pool_options options = { .size = sizeof options, .maximum = maximum };
    rill_pool *made = NULL;
    ok(rill_pool_create(machine.platform, &options, &made));
    return made;
}

static inline int pool_setup(void **state)
{
    (void)state;
    pool = make_pool(0);
    return 0;
}

static inline int pool_teardown(void **state)
{
    (void)state;
    ok(rill_pool_destroy(&pool));
    for (int i = 0; i < 2; i++) ok(rill_context_synchronize(machine.context[i]));
    return 0;
}

static inline uint64_t value_of(rill_pool *of, rill_pool_attribute attribute)
{
    uint64_t value = 0;
    ok(rill_pool_get_attribute(of, attribute, &value));
    return value;
}

static inline void set(rill_pool_attribute attribute, uint64_t value)
{
    ok(rill_pool_set_attribute(pool, attribute, value));
}

static inline void keep_all(void)
{
    set(RILL_POOL_RELEASE_THRESHOLD, UINT64_MAX);
}

static inline rill_devptr take(rill_stream *stream, size_t bytes)
{
    rill_devptr address = 0;
    ok(rill_mem_alloc_from_pool_async(stream, pool, bytes, &address));
    return address;
}

static inline void give(rill_stream *stream, rill_devptr address)
{
    ok(rill_mem_free_async(stream, address));
}

#define reserved() value_of(pool, RILL_POOL_RESERVED_CURRENT)
#define reserved_high() value_of(pool, RILL_POOL_RESERVED_HIGH)
#define used() value_of(pool, RILL_POOL_USED_CURRENT)
#define used_high() value_of(pool, RILL_POOL_USED_HIGH)

static inline void settle(rill_stream *stream)
{
    while (rill_stream_query(stream) == RILL_ERROR_NOT_READY)
        nanosleep(&(struct timespec){ .tv_nsec = 100000 }, NULL);
}

static inline void stays_held(rill_stream *stream)
{
    for (int i = 0; i < 10; i++) {
        nanosleep(&(struct timespec){ .tv_nsec = 200000 }, NULL);
        is(RILL_ERROR_NOT_READY, rill_stream_query(stream));
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, pool_setup, pool_teardown)

#endif
