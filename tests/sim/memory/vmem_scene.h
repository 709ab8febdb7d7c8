/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of addresses and memory, each by itself.
 */
#ifndef VMEM_SCENE_H
#define VMEM_SCENE_H

#include "sim/memory/memory_scene.h"

#define GRAIN (2 * MIB)

static inline rill_vmem_handle memory_of(int device, size_t bytes)
{
    const rill_vmem_options options = { .size = sizeof options, .device = device };
    rill_vmem_handle handle = 0;
    ok(rill_vmem_create(machine.platform, bytes, &options, &handle));
    return handle;
}

static inline rill_devptr reserved(size_t bytes)
{
    rill_devptr address = 0;
    ok(rill_vmem_reserve(machine.platform, bytes, 0, 0, &address));
    return address;
}

static inline rill_status give(rill_devptr address, size_t bytes, int device)
{
    return rill_vmem_set_access(machine.platform, address, bytes, device, RILL_ACCESS_READ_WRITE);
}

static inline rill_status take(rill_devptr address, size_t bytes, int device)
{
    return rill_vmem_set_access(machine.platform, address, bytes, device, RILL_ACCESS_NONE);
}

/* Maps memory of its own at an address; the mapping keeps it. */
static inline void map_new(rill_devptr address, size_t bytes, int device)
{
    rill_vmem_handle handle = memory_of(device, bytes);
    ok(rill_vmem_map(machine.platform, address, bytes, handle));
    ok(rill_vmem_release(machine.platform, handle));
}

static inline size_t left_on(int device)
{
    size_t left = 0;
    ok(rill_mem_info(machine.context[device], &left, NULL));
    return left;
}

static inline void end(rill_devptr address, size_t mapped, size_t bytes)
{
    if (mapped) ok(rill_vmem_unmap(machine.platform, address, mapped));
    ok(rill_vmem_unreserve(machine.platform, address, bytes));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
