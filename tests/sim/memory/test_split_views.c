/* SPDX-License-Identifier: Apache-2.0
 *
 * Pinned memory that is mapped twice: the simulator works on it while the program's view is
 * protected.
 */
#include "sim/kernels/ptx_scene.h"

#include <sys/resource.h>

#include "backend-sim/machine/machine.h"

enum { WORDS = 1024, BYTES = WORDS * 4 };

static struct scene s;
static uint32_t *pinned;
static rill_devptr device;

static rill_devptr at(const void *pointer)
{
    return (rill_devptr)(uintptr_t)pointer;
}

static void *pin(size_t bytes)
{
    void *pointer = NULL;
    ok(rill_host_alloc(s.context, bytes, 0, &pointer));
    return pointer;
}

static int setup(void **state)
{
    (void)state;
    open_scene(&s);
    ok(rl_backend_sim.watch->split_views(s.platform));
    pinned = pin(BYTES);
    ok(rill_mem_alloc(s.context, BYTES, &device));
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    close_scene(&s);
    return 0;
}

static size_t pages_of(size_t bytes)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    return (bytes + page - 1) / page * page;
}

/* The program cannot touch it until expose(). */
static void conceal(void *pointer, size_t bytes)
{
    assert_int_equal(mprotect(pointer, pages_of(bytes), PROT_NONE), 0);
}

static void expose(void *pointer, size_t bytes)
{
    ok(rill_stream_synchronize(s.stream));
    assert_int_equal(mprotect(pointer, pages_of(bytes), PROT_READ | PROT_WRITE), 0);
}

static void holds(const uint32_t *words, uint32_t first, uint32_t step)
{
    for (uint32_t i = 0; i < WORDS; i++) assert_int_equal(words[i], first + i * step);
}

static void number(uint32_t *words)
{
    for (uint32_t i = 0; i < WORDS; i++) words[i] = i;
}

/* ---- Memory ------------------------------------------------------------------------------- */

static void programs_use_it_like_any_other(void **state)
{
    (void)state;
    rill_devptr there = 0;
    uint32_t flags = 0;
    assert_int_equal((uintptr_t)pinned % (size_t)sysconf(_SC_PAGESIZE), 0);
    holds(pinned, 0, 0);
    number(pinned);
    holds(pinned, 0, 1);
    ok(rill_host_device_pointer(s.context, pinned + 5, &there));
    assert_int_equal(there, at(pinned + 5));
    ok(rill_host_flags(s.context, pinned, &flags));
    assert_int_equal(flags, RILL_HOST_MAPPED);
    is(INVALID, rill_host_free(s.context, pinned + 1));
    ok(rill_host_free(s.context, pinned));
    is(INVALID, rill_host_free(s.context, pinned));
}

static void no_two_allocations_share_a_page(void **state)
{
    enum { COUNT = 500 };
    (void)state;
    char *small[COUNT];
    for (int i = 0; i < COUNT; i++) {
        small[i] = pin(1);
        *small[i] = 'a';
        conceal(small[i], 1);
        if (i) assert_true(small[i] != small[i - 1]);
    }
    for (int i = 0; i < COUNT; i += 2) ok(rill_host_free(s.context, small[i]));
    for (int i = 1; i < COUNT; i += 2) {
        expose(small[i], 1);
        assert_int_equal(*small[i], 'a');
    }
    *(char *)pin(1) = 'b'; /* its page was freed while it was protected */
}

static void it_grows_by_what_is_asked_for(void **state)
{
    (void)state;
    char *large = pin(100 * MIB);
    large[0] = large[100 * MIB - 1] = 'a';
    ok(rill_host_free(s.context, large));
    large = pin(100 * MIB);
    assert_int_equal(large[0], 0); /* the pages went back to the system */
}

static void without_it_nothing_is_mapped_twice(void **state)
{
    (void)state;
    struct scene plain;
    void *pointer = NULL;
    open_scene(&plain);
    assert_null(sim_platform_of(plain.platform)->views);
    ok(rill_host_alloc(plain.context, 4096, 0, &pointer));
    assert_null(sim_platform_of(plain.platform)->views);
    close_scene(&plain);
}

static void a_system_that_refuses_leaves_ordinary_memory(void **state)
{
    (void)state;
    struct scene plain;
    void *pointer = NULL;
    struct rlimit before, none;
    open_scene(&plain);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    none = before;
    none.rlim_cur = 4096;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &none), 0);
    rill_status status = rl_backend_sim.watch->split_views(plain.platform);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, RILL_ERROR_NOT_SUPPORTED);
    ok(rill_host_alloc(plain.context, 4096, 0, &pointer));
    memset(pointer, 1, 4096);
    close_scene(&plain);
}

/* ---- Operations of streams ---------------------------------------------------------------- */

static void copies_work_on_concealed_memory(void **state)
{
    (void)state;
    uint32_t *other = pin(BYTES);
    static uint32_t pageable[WORDS];
    number(pinned);
    conceal(pinned, BYTES);
    conceal(other, BYTES);
    ok(rill_memcpy_htod_async(s.stream, device, pinned, BYTES));
    ok(rill_memcpy_dtoh_async(s.stream, other, device, BYTES));
    ok(rill_memcpy_dtoh(s.context, pageable, at(other), BYTES));
    holds(pageable, 0, 1);
    ok(rill_memset_d32_async(s.stream, at(pinned), 7, WORDS));
    ok(rill_memcpy_htod_async(s.stream, at(pinned), pageable, BYTES));
    expose(pinned, BYTES);
    expose(other, BYTES);
    holds(pinned, 0, 1);
    holds(other, 0, 1);
}

static void boxes_work_on_concealed_memory(void **state)
{
    (void)state;
    const rill_copy box = {
        .dst = { .kind = RILL_MEMORY_DEVICE, .address = device, .pitch = 128 },
        .src = { .kind = RILL_MEMORY_HOST, .address = at(pinned), .pitch = 128, .x = 64, .y = 2 },
        .width = 64, .height = 30, .depth = 1,
    };
    rill_op op = { .kind = RILL_OP_MEMCPY, .memcpy = box };
    uint32_t word = 0;
    number(pinned);
    conceal(pinned, BYTES);
    ok(rill_stream_submit(s.stream, &op));
    expose(pinned, BYTES);
    ok(rill_memcpy_dtoh(s.context, &word, device + 128, 4));
    assert_int_equal(word, 3 * 32 + 16);
}

static void fills_work_on_concealed_memory(void **state)
{
    (void)state;
    conceal(pinned, BYTES);
    ok(rill_memset_d32_async(s.stream, at(pinned), 9, WORDS));
    expose(pinned, BYTES);
    holds(pinned, 9, 0);
    conceal(pinned, BYTES);
    ok(rill_memset_d32(s.context, at(pinned), 11, WORDS));
    expose(pinned, BYTES);
    holds(pinned, 11, 0);
}

static void values_work_on_concealed_memory(void **state)
{
    (void)state;
    rill_stream *other = NULL;
    ok(rill_stream_create(s.context, NULL, &other));
    conceal(pinned, BYTES);
    ok(rill_stream_wait_value32(s.stream, at(pinned + 1), 5, RILL_WAIT_EQ));
    ok(rill_stream_write_value32(s.stream, at(pinned + 2), 6, 0));
    ok(rill_stream_write_value32(other, at(pinned + 1), 5, 0));
    expose(pinned, BYTES);
    assert_int_equal(pinned[1], 5);
    assert_int_equal(pinned[2], 6);
    ok(rill_stream_destroy(&other));
}

/* What the program stores ends a wait, as with other memory. */
static void a_wait_sees_what_the_program_stores(void **state)
{
    (void)state;
    ok(rill_stream_wait_value32(s.stream, at(pinned), 1, RILL_WAIT_EQ));
    atomic_store((_Atomic(uint32_t) *)pinned, 1);
    ok(rill_stream_synchronize(s.stream));
}

/* Doubles each word, and adds its sum to the last by an atomic operation. */
static const char double_text[] = HEAD
    ".visible .entry k(.param .u64 p, .param .u64 sum)\n{\n"
    ".reg .b32 %r<6>; .reg .b64 %rd<6>;\n"
    "ld.param.u64 %rd1, [p];\nld.param.u64 %rd4, [sum];\n"
    "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\n"
    "mad.lo.s32 %r1, %r1, %r2, %r3;\n"
    "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
    "ld.global.u32 %r4, [%rd3];\nadd.s32 %r4, %r4, %r4;\nst.global.u32 [%rd3], %r4;\n"
    "red.global.add.u32 [%rd4], 1;\nret;\n}\n";

static void kernels_of_ptx_work_on_concealed_memory(void **state)
{
    (void)state;
    uint32_t *sum = pin(4);
    rill_devptr to = at(pinned), counter = at(sum);
    const void *arguments[] = { &to, &counter };
    load(&s, double_text);
    number(pinned);
    conceal(pinned, BYTES);
    conceal(sum, 4);
    ok(run(&s, WORDS / 32, 32, arguments));
    expose(pinned, BYTES);
    expose(sum, 4);
    holds(pinned, 0, 2);
    assert_int_equal(*sum, WORDS);
}

static void an_address_beyond_it_is_still_refused(void **state)
{
    (void)state;
    rill_devptr to = at(pinned + 1), counter = at(pinned);
    const void *arguments[] = { &to, &counter };
    load(&s, double_text);
    is(RILL_ERROR_ILLEGAL_ADDRESS, run(&s, WORDS / 32, 32, arguments));
    char address[32];
    snprintf(address, sizeof address, "0x%llx", (unsigned long long)at(pinned + WORDS));
    SAYS("ordinary host memory", address);
}

static void number_words(void *words)
{
    number(words);
}

static void host_functions_and_the_simulator_see_the_same(void **state)
{
    (void)state;
    static uint32_t back[WORDS];
    ok(rill_launch_host(s.stream, number_words, pinned, NULL));
    ok(rill_memcpy_htod_async(s.stream, device, pinned, BYTES));
    ok(rill_stream_synchronize(s.stream));
    ok(rill_memcpy_dtoh(s.context, back, device, BYTES));
    holds(back, 0, 1);
}

/* ---- Nodes -------------------------------------------------------------------------------- */

static void nodes_work_on_concealed_memory(void **state)
{
    (void)state;
    rill_graph *graph = machine_graph(s.context);
    rill_exec *exec = NULL;
    rill_node nodes[4];
    uint32_t *other = pin(BYTES);
    const rill_place dst = { .kind = RILL_MEMORY_HOST, .address = at(other) };
    const rill_place src = { .kind = RILL_MEMORY_HOST, .address = at(pinned) };
    const rill_value values[] = {
        { .kind = RILL_VALUE_WRITE_32, .address = at(pinned + 3), .value = 8 },
        { .kind = RILL_VALUE_WAIT_32, .address = at(pinned + 3), .value = 8,
          .flags = RILL_WAIT_EQ },
    };
    rill_op fill = { .kind = RILL_OP_MEMSET, .memset = {
        .dst = at(pinned), .value = 4, .element_bytes = 4, .width = WORDS, .height = 1 } };
    rill_op copy = { .kind = RILL_OP_MEMCPY, .memcpy = {
        .dst = dst, .src = src, .width = BYTES, .height = 1, .depth = 1 } };
    rill_op write = { .kind = RILL_OP_VALUES, .values = { .items = values, .count = 1 } };
    rill_op wait = { .kind = RILL_OP_VALUES, .values = { .items = values, .count = 2 } };
    ok(rill_graph_add_node(graph, NULL, 0, &fill, &nodes[0]));
    ok(rill_graph_add_node(graph, &nodes[0], 1, &write, &nodes[1]));
    ok(rill_graph_add_node(graph, &nodes[1], 1, &wait, &nodes[2]));
    ok(rill_graph_add_node(graph, &nodes[2], 1, &copy, &nodes[3]));
    rill_op back = { .kind = RILL_OP_VALUES };
    ok(rill_node_get_op(graph, nodes[2], &back));
    assert_int_equal(back.values.items[1].address, at(pinned + 3));
    ok(rill_exec_create(graph, NULL, &exec));
    conceal(pinned, BYTES);
    conceal(other, BYTES);
    ok(rill_exec_launch(exec, s.stream));
    expose(pinned, BYTES);
    expose(other, BYTES);
    for (uint32_t i = 0; i < WORDS; i++) assert_int_equal(other[i], i == 3 ? 8 : 4);
    ok(rill_exec_destroy(&exec));
    ok(rill_graph_destroy(&graph));
}

#define SPLIT(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SPLIT(programs_use_it_like_any_other),
        SPLIT(no_two_allocations_share_a_page),
        SPLIT(it_grows_by_what_is_asked_for),
        cmocka_unit_test(without_it_nothing_is_mapped_twice),
        cmocka_unit_test(a_system_that_refuses_leaves_ordinary_memory),
        SPLIT(copies_work_on_concealed_memory),
        SPLIT(boxes_work_on_concealed_memory),
        SPLIT(fills_work_on_concealed_memory),
        SPLIT(values_work_on_concealed_memory),
        SPLIT(a_wait_sees_what_the_program_stores),
        SPLIT(kernels_of_ptx_work_on_concealed_memory),
        SPLIT(an_address_beyond_it_is_still_refused),
        SPLIT(host_functions_and_the_simulator_see_the_same),
        SPLIT(nodes_work_on_concealed_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
