/* SPDX-License-Identifier: Apache-2.0 */
#include "conformance/work.h"

#include <sched.h>
#include <string.h>

#include <rill/backend.h>
#include <rill/check.h>
#include <rill/sim.h>

/* ---- Memory -------------------------------------------------------------------- */

rill_devptr words_on(rill_context *context, size_t count)
{
    rill_devptr address = 0;
    ok(rill_mem_alloc(context, count * 4, &address));
    ok(rill_memset_d32(context, address, 0, count));
    ok(rill_stream_synchronize(rill_stream_legacy(context)));
    return address;
}

rill_devptr device_words(struct fixture *f, size_t count)
{
    return words_on(f->context, count);
}

uint32_t peek(struct fixture *f, rill_devptr address)
{
    uint32_t value = 0;
    ok(rill_memcpy_dtoh(f->context, &value, address, sizeof value));
    return value;
}

void poke(struct fixture *f, rill_devptr address, uint32_t value)
{
    ok(rill_memcpy_htod(f->context, address, &value, sizeof value));
    ok(rill_stream_synchronize(f->legacy)); /* a copy from pageable memory may be on its way */
}

void *pinned(struct fixture *f, size_t bytes)
{
    void *pointer = NULL;
    ok(rill_host_alloc(f->context, bytes, 0, &pointer));
    memset(pointer, 0, bytes);
    return pointer;
}

rill_devptr at(const void *pointer)
{
    return (rill_devptr)(uintptr_t)pointer;
}

/* ---- Pools --------------------------------------------------------------------- */

rill_pool *new_pool(struct fixture *f, uint64_t maximum)
{
    const rill_pool_options options = { .size = sizeof options, .maximum = maximum };
    rill_pool *pool = NULL;
    ok(rill_pool_create(f->platform, &options, &pool));
    return pool;
}

rill_devptr from_pool(rill_pool *pool, rill_stream *stream, size_t bytes)
{
    rill_devptr address = 0;
    ok(rill_mem_alloc_from_pool_async(stream, pool, bytes, &address));
    assert_int_not_equal(address, 0);
    return address;
}

uint64_t pool_value(rill_pool *pool, rill_pool_attribute attribute)
{
    uint64_t value = 0;
    ok(rill_pool_get_attribute(pool, attribute, &value));
    return value;
}

void keep_all(rill_pool *pool)
{
    ok(rill_pool_set_attribute(pool, RILL_POOL_RELEASE_THRESHOLD, UINT64_MAX));
}

/* What a driver may keep for itself. */
#define A_LITTLE (16 * MB)

void work_same_amount(size_t now, size_t before, const char *file, int line)
{
    size_t off = now > before ? now - before : before - now;
    if (off <= (suite->expects.counts_every_byte ? 0 : A_LITTLE)) return;
    print_error("%zu bytes are free, and %zu were before\n", now, before);
    _fail(file, line);
}

/* ---- Kernels ------------------------------------------------------------------- */

/* They say what they touch, so that the suite can run under the layer `check`. */
static uint32_t *word_argument(const rill_launch *launch, size_t i)
{
    return RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, i, rill_devptr), uint32_t);
}

static void run_nop(const rill_launch *launch)
{
    (void)launch;
}

/* Atomic: a stream may wait for the value. */
static void run_put(const rill_launch *launch)
{
    rill_touch(RILL_ARGUMENT(launch, 0, rill_devptr), 4, RILL_TOUCH_ATOMIC);
    atomic_store((atomic_uint *)word_argument(launch, 0), RILL_ARGUMENT(launch, 1, uint32_t));
}

static void run_mul_add(const rill_launch *launch)
{
    uint32_t *word = word_argument(launch, 0);
    rill_touch(RILL_ARGUMENT(launch, 0, rill_devptr), 4, RILL_TOUCH_READ | RILL_TOUCH_WRITE);
    *word = *word * RILL_ARGUMENT(launch, 1, uint32_t) + RILL_ARGUMENT(launch, 2, uint32_t);
}

static void run_copy1(const rill_launch *launch)
{
    rill_touch(RILL_ARGUMENT(launch, 0, rill_devptr), 4, RILL_TOUCH_WRITE);
    rill_touch(RILL_ARGUMENT(launch, 1, rill_devptr), 4, RILL_TOUCH_READ);
    *word_argument(launch, 0) = *word_argument(launch, 1);
}

static void run_crash(const rill_launch *launch)
{
    rill_sim_fault(launch, RILL_ERROR_LAUNCH_FAILED, "the test wants it so");
}

static const rill_param layout[] = {
    RILL_PARAM(rill_devptr), RILL_PARAM(uint32_t), RILL_PARAM(uint32_t),
};
static const rill_param two_addresses[] = { RILL_PARAM(rill_devptr), RILL_PARAM(rill_devptr) };

const rill_function nop_function = { .name = "nop", .over_grid = run_nop };
const rill_function put_function = {
    .name = "put", .over_grid = run_put, .params = layout, .param_count = 2,
};
const rill_function mul_add_function = {
    .name = "mul_add", .over_grid = run_mul_add, .params = layout, .param_count = 3,
};
const rill_function copy1_function = {
    .name = "copy1", .over_grid = run_copy1, .params = two_addresses, .param_count = 2,
};
const rill_function crash_function = { .name = "crash", .over_grid = run_crash };

rill_kernel *kernel(struct fixture *f, const rill_function *function)
{
    return new_kernel(f, f->context, function);
}

rill_status launch(rill_kernel *kernel, rill_stream *stream, const void *const *params)
{
    return rill_launch_kernel(stream, kernel, one, one, 0, params);
}

rill_status put(rill_kernel *kernel, rill_stream *stream, rill_devptr address, uint32_t value)
{
    return launch(kernel, stream, (const void *const[]){ &address, &value });
}

rill_status mul_add(rill_kernel *kernel, rill_stream *stream, rill_devptr address, uint32_t by,
                    uint32_t more)
{
    return launch(kernel, stream, (const void *const[]){ &address, &by, &more });
}

rill_status copy1(rill_kernel *kernel, rill_stream *stream, rill_devptr dst, rill_devptr src)
{
    return launch(kernel, stream, (const void *const[]){ &dst, &src });
}

void let_pass(struct fixture *f, rill_stream *stream)
{
    atomic_uint *word = new_word(f);
    ok(rill_stream_write_value32(stream, address_of(f, word), 1, 0));
    while (!atomic_load(word)) sched_yield();
}

/* ---- Host functions -------------------------------------------------------------- */

void nothing(void *data)
{
    (void)data;
}

void count_up(void *number)
{
    atomic_fetch_add((atomic_int *)number, 1);
}

void add_hundred(void *number)
{
    atomic_fetch_add((atomic_int *)number, 100);
}

void comes_to(atomic_int *number, int wanted)
{
    for (uint64_t end = fixture_patience(); atomic_load(number) < wanted && fixture_before(end);)
        continue;
    for (uint64_t end = fixture_look(); fixture_before(end);)
        assert_int_equal(atomic_load(number), wanted);
}
