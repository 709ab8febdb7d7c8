/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of test_kernels.c.
 */
#include <rill/standin.h>

static uint32_t *words(const rill_launch *launch, unsigned i)
{
    return RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, i, rill_devptr), uint32_t);
}

/* What it was given, one argument a word. */
static void tell(const rill_launch *launch)
{
    uint32_t *out = words(launch, 0);
    out[0] = RILL_ARGUMENT(launch, 1, uint8_t);
    out[1] = RILL_ARGUMENT(launch, 2, uint32_t);
    out[2] = RILL_ARGUMENT(launch, 3, uint16_t);
    out[3] = (uint32_t)launch->param_count;
    out[4] = (uint32_t)launch->shared_bytes;
}

static void count_blocks(const rill_launch *launch)
{
    __atomic_fetch_add(words(launch, 0), 1, __ATOMIC_RELAXED);
}

static void fail(const rill_launch *launch)
{
    rill_kernel_fault(launch, RILL_ERROR_ASSERT, "it was to fail");
}

static const rill_param one_word[] = { RILL_PARAM(uint32_t) };

static const rill_function functions[] = {
    { .name = "tell", .over_grid = tell },
    { .name = "count_blocks", .over_block = count_blocks },
    { .name = "fail", .over_grid = fail },
    { .name = "other_params", .over_grid = fail, .params = one_word, .param_count = 1 },
};

RILL_KERNEL_TABLE(functions)
