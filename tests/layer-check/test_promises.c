/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs that rely on what is promised, though it is not said at the place: the checker has
 * nothing to report.
 */
#include <sched.h>
#include <stdatomic.h>

#include <rill/check.h>
#include <rill/rill.h>
#include <rill/sim.h>

#include "support/cmocka_all.h"

/* The streams are gone by then, or not. */
enum { ROUNDS = 200 };

struct scene {
    rill_platform *platform;
    rill_context *contexts[2];
    rill_stream *one, *other; /* non-blocking */
    rill_devptr memory[2];
};

static void print_finding(void *data, const rill_finding *finding)
{
    (void)data;
    print_error("%s: %s, line %d, and %s, line %d\n", finding->sentence, finding->place[0].what,
                finding->place[0].line, finding->place[1].what, finding->place[1].line);
}

#define OK(call) assert_int_equal((call), RILL_SUCCESS)

static rill_stream *new_stream(struct scene *s, uint32_t flags)
{
    const rill_stream_options options = { .size = sizeof options, .flags = flags };
    rill_stream *stream = NULL;
    OK(rill_stream_create(s->contexts[0], &options, &stream));
    return stream;
}

static int begin(void **state)
{
    static struct scene scene;
    const rill_sim_options sim = { .size = sizeof sim, .devices = 2 };
    const rill_open_options options = {
        .size = sizeof options, .backend = "sim", .sim = &sim, .layers = "check",
    };
    *state = &scene;
    OK(rill_open(&options, &scene.platform));
    OK(rill_check_report(scene.platform, print_finding, NULL));
    for (int i = 0; i < 2; i++) {
        rill_context_options of = { .size = sizeof of, .device = i };
        OK(rill_context_create(scene.platform, &of, &scene.contexts[i]));
        OK(rill_mem_alloc(scene.contexts[i], 64, &scene.memory[i]));
    }
    scene.one = new_stream(&scene, RILL_STREAM_NON_BLOCKING);
    scene.other = new_stream(&scene, RILL_STREAM_NON_BLOCKING);
    return 0;
}

static int finish(void **state)
{
    struct scene *s = *state;
    uint64_t count = 1;
    for (int i = 0; i < 2; i++) OK(rill_context_synchronize(s->contexts[i]));
    OK(rill_check_count(s->platform, &count));
    assert_int_equal(count, 0);
    OK(rill_stream_destroy(&s->one));
    OK(rill_stream_destroy(&s->other));
    for (int i = 0; i < 2; i++) OK(rill_mem_free(s->contexts[i], s->memory[i]));
    for (int i = 0; i < 2; i++) OK(rill_context_destroy(&s->contexts[i]));
    return rill_close(&s->platform) ? -1 : 0;
}

/* ---- Streams that are gone ------------------------------------------------------------------ */

static void note_end(void *data)
{
    atomic_store((atomic_int *)data, 1);
}

/* Has a stream write, and destroys it when that is done: nobody has told the host. */
static void write_and_destroy(struct scene *s, uint32_t flags)
{
    atomic_int done = 0;
    rill_stream *stream = new_stream(s, flags);
    OK(rill_memset_d8_async(stream, s->memory[0], 1, 64));
    OK(rill_launch_host(stream, note_end, &done, NULL));
    while (!atomic_load(&done)) sched_yield();
    OK(rill_stream_destroy(&stream));
}

static void a_context_is_waited_for_with_streams_that_are_gone(void **state)
{
    struct scene *s = *state;
    for (int i = 0; i < ROUNDS; i++) {
        write_and_destroy(s, RILL_STREAM_NON_BLOCKING);
        OK(rill_context_synchronize(s->contexts[0]));
        OK(rill_memset_d8_async(s->one, s->memory[0], 2, 64));
        OK(rill_stream_synchronize(s->one));
    }
}

static void the_legacy_stream_comes_after_blocking_ones_that_are_gone(void **state)
{
    struct scene *s = *state;
    for (int i = 0; i < ROUNDS; i++) {
        write_and_destroy(s, 0);
        OK(rill_memset_d8_async(rill_stream_legacy(s->contexts[0]), s->memory[0], 2, 64));
    }
}

static void freeing_waits_for_streams_that_are_gone(void **state)
{
    struct scene *s = *state;
    for (int i = 0; i < ROUNDS; i++) {
        write_and_destroy(s, RILL_STREAM_NON_BLOCKING);
        OK(rill_mem_free(s->contexts[0], s->memory[0]));
        OK(rill_mem_alloc(s->contexts[0], 64, &s->memory[0]));
    }
}

/* ---- Graphs --------------------------------------------------------------------------------- */

static rill_node add(rill_graph *graph, rill_node after, rill_op *op)
{
    rill_node node = NULL;
    OK(rill_graph_add_node(graph, &after, after != NULL, op, &node));
    return node;
}

static rill_node add_fill(rill_graph *graph, rill_node after, rill_devptr address)
{
    rill_op op = { .kind = RILL_OP_MEMSET,
                   .memset = { .dst = address, .element_bytes = 1, .width = 64, .height = 1 } };
    return add(graph, after, &op);
}

static void launch_and_drop(rill_graph *graph, rill_stream *stream, rill_stream *upload)
{
    rill_exec *exec = NULL;
    OK(rill_exec_create(graph, NULL, &exec));
    OK(rill_exec_launch(exec, stream));
    if (upload) OK(rill_exec_upload(exec, upload));
    OK(rill_stream_synchronize(upload ? upload : stream));
    OK(rill_exec_destroy(&exec));
    OK(rill_graph_destroy(&graph));
}

static void an_upload_comes_after_the_launches_of_its_exec(void **state)
{
    struct scene *s = *state;
    rill_graph *graph = NULL;
    OK(rill_graph_create(s->contexts[0], NULL, &graph));
    add_fill(graph, NULL, s->memory[0]);
    launch_and_drop(graph, s->one, s->other);
    OK(rill_memset_d8_async(s->other, s->memory[0], 2, 64));
}

static void memory_of_a_graph_may_be_at_the_same_address_again(void **state)
{
    struct scene *s = *state;
    rill_graph *graph = NULL;
    rill_node last = NULL;
    OK(rill_graph_create(s->contexts[0], NULL, &graph));
    for (int i = 0; i < 4; i++) {
        rill_op alloc = { .kind = RILL_OP_ALLOC, .alloc = { .bytes = 4096 } };
        last = add(graph, last, &alloc);
        last = add_fill(graph, last, alloc.alloc.address);
        rill_op free = { .kind = RILL_OP_FREE, .free = { .address = alloc.alloc.address } };
        last = add(graph, last, &free);
    }
    launch_and_drop(graph, s->one, NULL);
}

/* ---- Values ---------------------------------------------------------------------------------- */

static void the_host_may_write_the_word_that_a_stream_waits_for(void **state)
{
    struct scene *s = *state;
    void *memory = NULL;
    OK(rill_host_alloc(s->contexts[0], 4096, 0, &memory));
    atomic_uint *words = memory;
    atomic_store(&words[0], 0);
    atomic_store(&words[1], 0);
    OK(rill_stream_wait_value32(s->one, (uintptr_t)&words[0], 1, RILL_WAIT_EQ));
    OK(rill_memset_d8_async(s->one, (uintptr_t)&words[8], 3, 32)); /* guards the page */
    OK(rill_stream_write_value32(s->one, (uintptr_t)&words[1], 1, 0));
    atomic_store(&words[0], 1);
    while (!atomic_load(&words[1])) sched_yield();
    OK(rill_stream_synchronize(s->one));
    OK(rill_host_free(s->contexts[0], memory));
}

/* ---- Two devices ---------------------------------------------------------------------------- */

static void a_peer_copy_is_in_the_order_of_both_contexts(void **state)
{
    struct scene *s = *state;
    const uint32_t value = 7;
    uint32_t got = 0;
    OK(rill_memcpy_htod(s->contexts[0], s->memory[0], &value, 4));
    OK(rill_memcpy_peer(s->contexts[1], s->memory[1], s->contexts[0], s->memory[0], 4));
    OK(rill_memset_d8_async(rill_stream_legacy(s->contexts[0]), s->memory[0], 2, 64));
    OK(rill_memcpy_dtoh(s->contexts[1], &got, s->memory[1], 4));
    assert_int_equal(got, 7);
}

/* ---- Memory of kernels --------------------------------------------------------------------- */

/* k(bytes) stores where malloc(bytes) points to. */
static const char asks_for_memory[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".extern .func (.param .b64 r) malloc (.param .b64 n);\n"
    ".visible .entry k(.param .u64 bytes) {\n"
    " .reg .b64 %d<3>;\n"
    " ld.param.u64 %d1, [bytes];\n"
    " { .param .b64 n; .param .b64 r; st.param.b64 [n], %d1;\n"
    "   call.uni (r), malloc, (n); ld.param.b64 %d2, [r]; }\n"
    " st.u64 [%d2], %d1;\n"
    " ret; }\n";

static void malloc_in_a_kernel_may_return_what_was_freed(void **state)
{
    struct scene *s = *state;
    const rill_image image = { .size = sizeof image, .code = asks_for_memory };
    rill_module *module = NULL;
    rill_kernel *kernel = NULL;
    rill_devptr blocks[8];
    const rill_dim3 one = { 1, 1, 1 };
    uint64_t bytes = 65536;
    OK(rill_module_load(s->contexts[0], &image, &module));
    OK(rill_module_kernel(module, "k", &kernel));
    for (int i = 0; i < 8; i++) OK(rill_mem_alloc(s->contexts[0], bytes, &blocks[i]));
    for (int i = 0; i < 8; i++) OK(rill_mem_free(s->contexts[0], blocks[i]));
    for (int i = 0; i < 4; i++)
        OK(rill_launch_kernel(s->one, kernel, one, one, 0, (const void *const[]){ &bytes }));
    OK(rill_stream_synchronize(s->one));
    OK(rill_module_unload(&module));
}

/* k() allocates a word, writes it, and frees it again. */
static const char frees_its_own[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".extern .func (.param .b64 r) malloc (.param .b64 n);\n"
    ".extern .func free (.param .b64 p);\n"
    ".visible .entry k() {\n"
    " .reg .b64 %d<3>;\n"
    " mov.u64 %d1, 64;\n"
    " { .param .b64 n; .param .b64 r; st.param.b64 [n], %d1;\n"
    "   call.uni (r), malloc, (n); ld.param.b64 %d2, [r]; }\n"
    " st.u64 [%d2], %d1;\n"
    " { .param .b64 p; st.param.b64 [p], %d2; call.uni free, (p); }\n"
    " ret; }\n";

static void what_a_kernel_has_freed_is_for_the_next(void **state)
{
    struct scene *s = *state;
    const rill_image image = { .size = sizeof image, .code = frees_its_own };
    rill_module *module = NULL;
    rill_kernel *kernel = NULL;
    const rill_dim3 one = { 1, 1, 1 };
    OK(rill_module_load(s->contexts[0], &image, &module));
    OK(rill_module_kernel(module, "k", &kernel));
    for (int i = 0; i < 8; i++)
        OK(rill_launch_kernel(i % 2 ? s->one : s->other, kernel, one, one, 0, NULL));
    OK(rill_context_synchronize(s->contexts[0]));
    OK(rill_module_unload(&module));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)
    const struct CMUnitTest tests[] = {
        TEST(a_context_is_waited_for_with_streams_that_are_gone),
        TEST(the_legacy_stream_comes_after_blocking_ones_that_are_gone),
        TEST(freeing_waits_for_streams_that_are_gone),
        TEST(an_upload_comes_after_the_launches_of_its_exec),
        TEST(memory_of_a_graph_may_be_at_the_same_address_again),
        TEST(the_host_may_write_the_word_that_a_stream_waits_for),
        TEST(a_peer_copy_is_in_the_order_of_both_contexts),
        TEST(malloc_in_a_kernel_may_return_what_was_freed),
        TEST(what_a_kernel_has_freed_is_for_the_next),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
