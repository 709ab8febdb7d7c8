/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of kernels.cu and cond.cu as C functions, for RILL_KERNELS.
 */
#include <rill/standin.h>
#include <sched.h>
#include <time.h>

/* Other threads look at the same words: values waits, host functions, other kernels. */
static uint32_t get(const uint32_t *p)
{
    return __atomic_load_n(p, __ATOMIC_ACQUIRE);
}

static void set(uint32_t *p, uint32_t value)
{
    __atomic_store_n(p, value, __ATOMIC_RELEASE);
}

/* Argument `i` as a pointer to words, or NULL: then the kernel has failed. */
static uint32_t *words(const rill_launch *launch, unsigned i)
{
    rill_devptr address = RILL_ARGUMENT(launch, i, rill_devptr);
    if (address < 4096) {
        rill_kernel_fault(launch, RILL_ERROR_ILLEGAL_ADDRESS, "there is no memory");
        return NULL;
    }
    if (address % 4) {
        rill_kernel_fault(launch, RILL_ERROR_MISALIGNED_ADDRESS, "no multiple of 4");
        return NULL;
    }
    return RILL_DEVICE_MEMORY(address, uint32_t);
}

static uint32_t threads_of(const rill_launch *launch)
{
    return launch->grid.x * launch->grid.y * launch->grid.z * launch->block.x * launch->block.y *
           launch->block.z;
}

static void inc(const rill_launch *launch)
{
    uint32_t *p = words(launch, 0);
    if (p) set(p, get(p) + 1);
}

static void put(const rill_launch *launch)
{
    uint32_t *p = words(launch, 0);
    if (p) set(p, RILL_ARGUMENT(launch, 1, uint32_t));
}

static void mul_add(const rill_launch *launch)
{
    uint32_t *p = words(launch, 0);
    if (p) set(p, get(p) * RILL_ARGUMENT(launch, 1, uint32_t) + RILL_ARGUMENT(launch, 2, uint32_t));
}

static void copy1(const rill_launch *launch)
{
    const uint32_t *from = words(launch, 1);
    uint32_t *to = words(launch, 0);
    if (from && to) set(to, get(from));
}

static void nop(const rill_launch *launch)
{
    (void)launch;
}

static void fill(const rill_launch *launch)
{
    uint32_t *p = words(launch, 0), count = RILL_ARGUMENT(launch, 1, uint32_t);
    for (uint32_t i = 0; p && i < count; i++) set(p + i, RILL_ARGUMENT(launch, 2, uint32_t) + i);
}

static void dims(const rill_launch *launch)
{
    uint32_t *p = words(launch, 0);
    const uint32_t sizes[] = { launch->grid.x, launch->grid.y, launch->grid.z,
                               launch->block.x, launch->block.y, launch->block.z };
    if (!p) return;
    for (unsigned i = 0; i < 6; i++) set(p + i, sizes[i]);
    __atomic_fetch_add(p + 6, threads_of(launch), __ATOMIC_ACQ_REL);
}

static void await(const rill_launch *launch)
{
    const uint32_t *p = words(launch, 0);
    while (p && !get(p)) sched_yield();
}

/* As on hardware, it takes a moment until the host hears of it. */
static void crash(const rill_launch *launch)
{
    nanosleep(&(struct timespec){ .tv_nsec = 2000000 }, NULL);
    rill_kernel_fault(launch, RILL_ERROR_LAUNCH_FAILED, "a trap");
}

static void badstore(const rill_launch *launch)
{
    uint32_t *p = words(launch, 0);
    if (p) set(p, 1);
}

static void setcond(const rill_launch *launch)
{
    rill_kernel_set_conditional(launch, RILL_ARGUMENT(launch, 0, rill_conditional),
                                RILL_ARGUMENT(launch, 1, uint32_t));
}

/* Keeps a loop going while the word is above zero. */
static void countdown(const rill_launch *launch)
{
    uint32_t *p = words(launch, 1);
    if (!p) return;
    set(p, get(p) - 1);
    rill_kernel_set_conditional(launch, RILL_ARGUMENT(launch, 0, rill_conditional), get(p) > 0);
}

static void cond_from(const rill_launch *launch)
{
    const uint32_t *p = words(launch, 1);
    if (!p) return;
    rill_kernel_set_conditional(launch, RILL_ARGUMENT(launch, 0, rill_conditional), get(p));
}

static const rill_function functions[] = {
    { .name = "inc", .over_grid = inc },
    { .name = "put", .over_grid = put },
    { .name = "mul_add", .over_grid = mul_add },
    { .name = "copy1", .over_grid = copy1 },
    { .name = "nop", .over_grid = nop },
    { .name = "fill", .over_grid = fill },
    { .name = "dims", .over_grid = dims },
    { .name = "await", .over_grid = await },
    { .name = "crash", .over_grid = crash },
    { .name = "badstore", .over_grid = badstore },
    { .name = "setcond", .over_grid = setcond },
    { .name = "countdown", .over_grid = countdown },
    { .name = "cond_from", .over_grid = cond_from },
};

RILL_KERNEL_TABLE(functions)
