/* SPDX-License-Identifier: Apache-2.0
 *
 * Threads that submit more than a stream can run: they wait for it, as with a driver, so that what
 * is pending does not fill the memory.  They wait for nothing that could wait for them.
 */
#include <sched.h>
#include <time.h>

#include "conformance/work.h"
#include "sim/on_sim.h"

#define BYTES 16384         /* of a fill, which takes a microsecond */
#define WORDS (BYTES / 4)
#define MANY 6000           /* operations, more than may be pending of what does not get on */

static uint64_t queue_bytes(struct fixture *f)
{
    rill_sim_counters now = { .size = sizeof now };
    ok(rill_sim_get_counters(f->platform, &now));
    return now.queue_bytes;
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static rill_devptr new_memory(struct fixture *f)
{
    rill_devptr memory;
    ok(rill_mem_alloc(f->context, BYTES, &memory));
    return memory;
}

/* Submits fills, and returns how many bytes of the queues they took at most. */
static uint64_t flood(struct fixture *f, rill_stream *stream, rill_devptr memory, int fills)
{
    const uint64_t before = queue_bytes(f);
    uint64_t most = before;
    for (int i = 0; i < fills; i++) {
        ok(rill_memset_d32_async(stream, memory, (uint32_t)i, WORDS));
        const uint64_t bytes = queue_bytes(f);
        if (bytes > most) most = bytes;
    }
    return most - before;
}

static void a_thread_that_is_faster_than_its_stream_waits_for_it(void **state)
{
    struct fixture *f = *state;
    const rill_devptr memory = new_memory(f);
    rill_stream *stream = new_non_blocking(f);
    const uint64_t most = flood(f, stream, memory, 100000);
    ok(rill_stream_synchronize(stream));
    ok(rill_mem_free(f->context, memory));
    /* A fill is 64 bytes, and less than 70,000 were pending of 100,000. */
    assert_in_range(most, 1, 70000 * 66);
}

struct flood_of {
    struct fixture *f;
    atomic_uint fills;
    atomic_bool stop;
};

static void *flood_until_told(void *data)
{
    struct flood_of *of = data;
    const rill_devptr memory = new_memory(of->f);
    rill_stream *stream;
    ok(rill_stream_create(of->f->context, NULL, &stream));
    for (; !atomic_load(&of->stop); atomic_fetch_add(&of->fills, 1))
        ok(rill_memset_d32_async(stream, memory, 1, WORDS));
    ok(rill_stream_synchronize(stream));
    ok(rill_stream_destroy(&stream));
    ok(rill_mem_free(of->f->context, memory));
    return NULL;
}

/* Freeing waits for what was submitted, and ends although more and more is. */
static void who_waits_for_streams_that_others_fill_is_done_soon(void **state)
{
    enum { THREADS = 2, FREES = 3 };
    struct fixture *f = *state;
    struct flood_of of = { .f = f };
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, flood_until_told, &of), 0);
    while (atomic_load(&of.fills) < THREADS * 2000) sched_yield();
    for (int i = 0; i < FREES; i++) ok(rill_mem_free(f->context, new_memory(f)));
    atomic_store(&of.stop, true);
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
}

/* ---- What may wait for the thread ---------------------------------------------------------- */

/* Submits behind what does not go on before this thread has done so.  Waiting in vain takes a
 * second. */
static void submit_at_once(rill_stream *stream, rill_devptr memory)
{
    const double from = now_s();
    for (int i = 0; i < MANY; i++) ok(rill_memset_d32_async(stream, memory, 1, 1));
    assert_true(now_s() - from < 0.9);
}

static void behind_a_function_of_the_program_a_thread_goes_on(void **state)
{
    struct fixture *f = *state;
    const rill_devptr memory = new_memory(f);
    rill_stream *stream = new_non_blocking(f);
    struct latch *held = latch(f, stream);
    await_latch(held);
    submit_at_once(stream, memory);
    open_latch(held);
    ok(rill_stream_synchronize(stream));
    ok(rill_mem_free(f->context, memory));
}

static void behind_a_wait_a_thread_goes_on(void **state)
{
    struct fixture *f = *state;
    const rill_devptr memory = new_memory(f);
    rill_stream *stream = new_non_blocking(f);
    struct gate *held = gate(f, stream);
    submit_at_once(stream, memory);
    open_gate(held);
    ok(rill_stream_synchronize(stream));
    ok(rill_mem_free(f->context, memory));
}

static atomic_bool released;

static void wait_for_release(const rill_launch *launched)
{
    (void)launched;
    while (!atomic_load(&released)) sched_yield();
}

/* On a GPU such a program would hang for good. */
static void behind_a_kernel_that_waits_for_the_host_a_thread_goes_on_in_the_end(void **state)
{
    static const rill_function function = { .name = "wait_for_release",
                                            .over_grid = wait_for_release };
    struct fixture *f = *state;
    const rill_devptr memory = new_memory(f);
    rill_stream *stream = new_non_blocking(f);
    atomic_store(&released, false);
    ok(launch(kernel(f, &function), stream, NULL));
    for (int i = 0; i < MANY; i++) ok(rill_memset_d32_async(stream, memory, 1, 1));
    atomic_store(&released, true);
    ok(rill_stream_synchronize(stream));
    ok(rill_mem_free(f->context, memory));
}

/* ---- Run ----------------------------------------------------------------------------------- */

static int setup(void **state)
{
    return on_sim(state, 2);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, fixture_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_thread_that_is_faster_than_its_stream_waits_for_it),
        TEST(who_waits_for_streams_that_others_fill_is_done_soon),
        TEST(behind_a_function_of_the_program_a_thread_goes_on),
        TEST(behind_a_wait_a_thread_goes_on),
        TEST(behind_a_kernel_that_waits_for_the_host_a_thread_goes_on_in_the_end),
    };
    return cmocka_run_group_tests_name("backlog", tests, NULL, NULL);
}
