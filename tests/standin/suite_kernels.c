/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of the conformance suite as C functions, for RILL_KERNELS: what its code runs
 * over the stand-in.
 */
#include <rill/standin.h>

static uint32_t *word(const rill_launch *launch, unsigned i)
{
    return RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, i, rill_devptr), uint32_t);
}

/* Other threads look at the same words. */
static uint32_t get(const uint32_t *p)
{
    return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

static void store(uint32_t *p, uint32_t value)
{
    __atomic_store_n(p, value, __ATOMIC_RELEASE);
}

static void nop(const rill_launch *launch)
{
    (void)launch;
}

static void put(const rill_launch *launch)
{
    store(word(launch, 0), RILL_ARGUMENT(launch, 1, uint32_t));
}

static void mul_add(const rill_launch *launch)
{
    uint32_t *p = word(launch, 0);
    store(p, get(p) * RILL_ARGUMENT(launch, 1, uint32_t) + RILL_ARGUMENT(launch, 2, uint32_t));
}

static void copy1(const rill_launch *launch)
{
    store(word(launch, 0), get(word(launch, 1)));
}

/* Every thread of the grid adds. */
static void add(const rill_launch *launch)
{
    const rill_dim3 grid = launch->grid, block = launch->block;
    uint32_t threads = grid.x * grid.y * grid.z * block.x * block.y * block.z;
    __atomic_fetch_add(word(launch, 0), RILL_ARGUMENT(launch, 1, uint32_t) * threads,
                       __ATOMIC_ACQ_REL);
}

static void crash(const rill_launch *launch)
{
    rill_kernel_fault(launch, RILL_ERROR_LAUNCH_FAILED, "a trap");
}

static void set(const rill_launch *launch)
{
    rill_kernel_set_conditional(launch, RILL_ARGUMENT(launch, 0, rill_conditional),
                                RILL_ARGUMENT(launch, 1, uint32_t));
}

static void down(const rill_launch *launch)
{
    uint32_t *p = word(launch, 1), left = get(p) - 1;
    store(p, left);
    rill_kernel_set_conditional(launch, RILL_ARGUMENT(launch, 0, rill_conditional), left > 0);
}

static const rill_function functions[] = {
    { .name = "nop", .over_grid = nop },       { .name = "nothing", .over_grid = nop },
    { .name = "put", .over_grid = put },       { .name = "mul_add", .over_grid = mul_add },
    { .name = "copy1", .over_grid = copy1 },   { .name = "add", .over_grid = add },
    { .name = "crash", .over_grid = crash },   { .name = "fault", .over_grid = crash },
    { .name = "laid", .over_grid = nop },      { .name = "bounded", .over_grid = nop },
    { .name = "set", .over_grid = set },       { .name = "down", .over_grid = down },
};

RILL_KERNEL_TABLE(functions)
