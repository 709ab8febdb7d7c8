/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of objects: a world of a full fake backend, and that each test gives back what it takes.
 */
#ifndef OBJECTS_H
#define OBJECTS_H

#include "support/cmocka_all.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "core/object/object.h"
#include "support/fake/fake.h"
#include "support/shim_backend.h"
#include "support/world.h"

static struct fake_tables fake; /* behind the shim */
static struct world world;

static inline int open_world(void **state)
{
    (void)state;
    if (rill_backend_register(shim_backend(fake_build(&fake, "full", FAKE_ALL), "shim"))) return -1;
    return world_open(&world, "shim") ? -1 : 0;
}

static inline int close_world(void **state)
{
    (void)state;
    return world_close(&world);
}

/* Every test gives back what it takes. */
static long live_before;

static inline int begin(void **state)
{
    (void)state;
    rill_clear_error();
    shim_fail("", 0, RILL_SUCCESS);
    live_before = rl_alloc_live();
    return 0;
}

static inline int end(void **state)
{
    (void)state;
    return rl_alloc_live() == live_before ? 0 : -1;
}

static inline rill_platform *open_platform(void)
{
    const rill_open_options options = { .size = sizeof options, .backend = "shim" };
    rill_platform *platform = NULL;
    assert_int_equal(rill_open(&options, &platform), RILL_SUCCESS);
    return platform;
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

#endif
