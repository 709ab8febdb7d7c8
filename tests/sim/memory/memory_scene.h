/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of memory: a machine, and addresses on it.
 */
#ifndef MEMORY_SCENE_H
#define MEMORY_SCENE_H

#include "backend-sim/guard/call_guard.h"
#include "backend-sim/memory/address_map.h"
#include "sim/machine.h"
#include "support/random.h"

static struct machine machine;

static inline int setup(void **state)
{
    (void)state;
    machine_open(&machine, 64 * MIB);
    return 0;
}

static inline int teardown(void **state)
{
    (void)state;
    machine_close(&machine);
    return 0;
}

static inline rill_devptr device_bytes(rill_context *context, size_t bytes)
{
    rill_devptr address = 0;
    ok(rill_mem_alloc(context, bytes, &address));
    return address;
}

static inline rill_devptr at(const void *pointer)
{
    return (rill_devptr)(uintptr_t)pointer;
}

static inline void *pages(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_ptr_not_equal(memory, MAP_FAILED);
    return memory;
}

/* ---- What an address is ---------------------------------------------------- */

static inline void check_range(rill_devptr address, rill_devptr base, size_t bytes)
{
    rill_devptr found = 0;
    size_t size = 0;
    ok(rill_mem_range(machine.context[0], address, &found, &size));
    assert_true(found == base && size == bytes);
    ok(rill_mem_range(machine.context[0], address, NULL, NULL));
}

static inline rill_pointer_info info_of(rill_devptr address)
{
    rill_pointer_info info = { .size = sizeof info };
    ok(rill_pointer_get_info(machine.context[0], address, &info));
    return info;
}

#endif
