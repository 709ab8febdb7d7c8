/* SPDX-License-Identifier: Apache-2.0
 *
 * What kernels of PTX ask for while they run: to print, and memory.
 */
#include "sim/kernels/ptx_scene.h"

struct paper {
    char text[4096];
    size_t bytes;
};

static void write_down(void *data, const char *text, size_t bytes)
{
    struct paper *paper = data;
    if (bytes > sizeof paper->text - paper->bytes) return;
    memcpy(paper->text + paper->bytes, text, bytes);
    paper->bytes += bytes;
}

static void what_a_kernel_prints_arrives(void **state)
{
    (void)state;
    struct scene s;
    struct paper paper = { .bytes = 0 };
    open_with(&s, (rill_sim_options){ .print = write_down, .print_data = &paper });
    load(&s, HEAD
         ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
         ".global .align 1 .b8 format[14] = { 119, 111, 114, 100, 32, 37, 100, 10, 0 };\n"
         ".visible .entry k() {\n"
         " .local .align 8 .b8 pack[8]; .reg .b64 %d<4>; .reg .b32 %r;\n"
         " mov.u64 %d0, pack; cvta.local.u64 %d1, %d0; mov.u32 %r, %ctaid.x;\n"
         " st.local.u32 [%d0], %r; mov.u64 %d2, format; cvta.global.u64 %d3, %d2;\n"
         " { .param .b64 a; .param .b64 b; .param .b32 c;\n"
         "   st.param.b64 [a], %d3; st.param.b64 [b], %d1;\n"
         "   call.uni (c), vprintf, (a, b); }\n"
         " ret; }\n");
    ok(run(&s, 1, 1, NULL));
    assert_int_equal(paper.bytes, 7);
    assert_memory_equal(paper.text, "word 0\n", 7);
    close_scene(&s);
}

/* ---- Behind the end of an allocation ------------------------------------------------------- */

struct beyond {
    int times;
    char message[RILL_ERROR_MESSAGE_MAX];
};

static void hear_beyond(void *data, const char *message)
{
    struct beyond *beyond = data;
    beyond->times++;
    snprintf(beyond->message, sizeof beyond->message, "%s", message);
}

/* Loads 16 bytes from `at` on and stores the first word to `to`. */
static const char loads_four[] = HEAD
    ".visible .entry k(.param .u64 at, .param .u64 to) { .reg .b64 %a<2>; .reg .b32 %r<4>;\n"
    " ld.param.u64 %a0, [at]; ld.param.u64 %a1, [to];\n"
    " ld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%a0]; st.global.u32 [%a1], %r0; ret; }\n";

/* Runs it at so many bytes behind the begin of an allocation of 44 bytes. */
static rill_status load_at(struct scene *s, uint64_t offset, uint32_t *word)
{
    rill_devptr at, to, from;
    ok(rill_mem_alloc(s->context, 44, &at));
    ok(rill_mem_alloc(s->context, 4, &to));
    ok(rill_memset_d8(s->context, at, 7, 44));
    from = at + offset;
    rill_status status = run(s, 1, 1, (const void *[]){ &from, &to });
    if (!status) ok(rill_memcpy_dtoh(s->context, word, to, 4));
    return status;
}

#if defined(__SANITIZE_ADDRESS__)
#define BEYOND_IS_POISONED true
#else
#define BEYOND_IS_POISONED false
#endif

static void what_a_gpu_does_not_notice_goes_on_and_is_told_once(void **state)
{
    (void)state;
    struct scene s;
    struct beyond beyond = { .times = 0 };
    uint32_t word = 0;
    if (BEYOND_IS_POISONED) skip();
    open_with(&s, (rill_sim_options){ .beyond = hear_beyond, .beyond_data = &beyond });
    load(&s, loads_four);
    ok(load_at(&s, 16, &word));
    assert_int_equal(beyond.times, 0);
    ok(load_at(&s, 32, &word));
    assert_int_equal(word, 0x07070707);
    assert_int_equal(beyond.times, 1);
    assert_non_null(strstr(beyond.message, "kernel 'k' goes beyond the 44 bytes at 0x"));
    ok(load_at(&s, 48, &word));
    ok(load_at(&s, 496, &word));
    assert_int_equal(beyond.times, 1);
    assert_int_equal(load_at(&s, 4096, &word), RILL_ERROR_ILLEGAL_ADDRESS);
    close_scene(&s);
}

/* Each thread but the first two adds 1 to its word from `at` on. */
static const char adds_to_all_but_two[] = HEAD
    ".visible .entry k(.param .u64 at) { .reg .b64 %a<2>; .reg .b32 %r<2>; .reg .pred %p;\n"
    " ld.param.u64 %a0, [at]; mov.u32 %r0, %tid.x; mul.wide.u32 %a1, %r0, 4;\n"
    " add.u64 %a1, %a1, %a0; setp.lt.u32 %p, %r0, 2; @%p bra out;\n"
    " ld.global.u32 %r1, [%a1]; add.u32 %r1, %r1, 1; st.global.u32 [%a1], %r1;\n"
    "out: ret; }\n";

static void where_no_thread_goes_is_not_told(void **state)
{
    (void)state;
    struct scene s;
    struct beyond beyond = { .times = 0 };
    rill_devptr before, after, at;
    uint32_t words[30];
    if (BEYOND_IS_POISONED) skip();
    open_with(&s, (rill_sim_options){ .beyond = hear_beyond, .beyond_data = &beyond });
    load(&s, adds_to_all_but_two);
    ok(rill_mem_alloc(s.context, 44, &before));
    ok(rill_mem_alloc(s.context, sizeof words, &after));
    if (after != before + 512) { /* the layer `check` keeps them further apart */
        close_scene(&s);
        skip();
    }
    ok(rill_memset_d8(s.context, after, 0, sizeof words));
    at = after - 8;
    ok(run(&s, 1, 32, (const void *[]){ &at }));
    ok(rill_memcpy_dtoh(s.context, words, after, sizeof words));
    for (unsigned i = 0; i < 30; i++) assert_int_equal(words[i], 1);
    assert_int_equal(beyond.times, 0);
    close_scene(&s);
}

static void it_is_a_fault_where_nobody_listens(void **state)
{
    (void)state;
    struct scene s;
    uint32_t word = 0;
    open_scene(&s);
    load(&s, loads_four);
    assert_int_equal(load_at(&s, 32, &word), RILL_ERROR_ILLEGAL_ADDRESS);
    close_scene(&s);
}

/* ---- Faults ------------------------------------------------------------------------------ */

struct heard {
    int times;
    rill_error_cause cause;
    char message[RILL_ERROR_MESSAGE_MAX];
};

static void hear(void *data, const rill_error_cause *cause, const char *message)
{
    struct heard *heard = data;
    heard->times++;
    heard->cause = *cause;
    snprintf(heard->message, sizeof heard->message, "%s", message);
}

#define STRAYS HEAD ".visible .entry k() { .reg .b64 %p; .reg .b32 %r;\n" \
    " mov.u64 %p, 64; mov.u32 %r, 1;\n st.global.u32 [%p], %r; ret; }\n"

static void the_first_fault_is_told_when_it_happens(void **state)
{
    (void)state;
    struct scene s;
    struct heard heard = { .times = 0 };
    open_with(&s, (rill_sim_options){ .fault = hear, .fault_data = &heard });
    load(&s, STRAYS);
    ok(rill_stream_set_label(s.stream, "decode"));
    is(RILL_ERROR_ILLEGAL_ADDRESS, run(&s, 1, 1, NULL));
    assert_int_equal(heard.times, 1);
    assert_int_equal(heard.cause.status, RILL_ERROR_ILLEGAL_ADDRESS);
    assert_string_equal(heard.cause.operation, "kernel 'k'");
    assert_string_equal(heard.cause.object, "stream 'decode'");
    assert_non_null(strstr(heard.message, "kernel 'k', line 6, thread (0,0,0) of block (0,0,0)"));
    is(RILL_ERROR_ILLEGAL_ADDRESS, rill_stream_synchronize(s.stream));
    assert_int_equal(heard.times, 1);
    close_scene(&s);
    assert_int_equal(heard.times, 1);
}

static void that_a_machine_is_abandoned_is_no_fault(void **state)
{
    (void)state;
    struct scene s;
    struct heard heard = { .times = 0 };
    open_with(&s, (rill_sim_options){ .fault = hear, .fault_data = &heard });
    rill_sim_abandon(s.platform, 0);
    close_scene(&s);
    assert_int_equal(heard.times, 0);
}

/* ---- Memory ------------------------------------------------------------------------------ */

/* k(out, bytes): out = malloc(bytes); free(out) where `bytes` is 1. */
#define MALLOC HEAD \
    ".extern .func (.param .b64 r) malloc (.param .b64 n);\n" \
    ".extern .func free (.param .b64 p);\n" \
    ".visible .entry k(.param .u64 out, .param .u64 bytes) {\n" \
    " .reg .b64 %d<4>; .reg .pred %p;\n" \
    " ld.param.u64 %d0, [out]; ld.param.u64 %d1, [bytes];\n" \
    " { .param .b64 n; .param .b64 r; st.param.b64 [n], %d1;\n" \
    "   call.uni (r), malloc, (n); ld.param.b64 %d2, [r]; }\n" \
    " st.global.u64 [%d0], %d2; setp.ne.u64 %p, %d1, 1; @%p ret;\n" \
    " { .param .b64 q; st.param.b64 [q], %d2; call.uni free, (q); }\n" \
    " ret; }\n"

static uint64_t ask_for(struct scene *s, rill_devptr out, uint64_t bytes)
{
    const void *arguments[] = { &out, &bytes };
    uint64_t got = 0;
    ok(run(s, 1, 1, arguments));
    ok(rill_memcpy_dtoh(s->context, &got, out, 8));
    return got;
}

/* Each block stores its number in the memory that the one before has freed. */
static void memory_that_was_freed_is_no_race_for_who_gets_it(void **state)
{
    (void)state;
    static const char text[] = HEAD
        ".extern .func (.param .b64 r) malloc (.param .b64 n);\n"
        ".extern .func free (.param .b64 p);\n"
        ".visible .entry k() { .reg .b64 %d; .reg .b32 %r;\n"
        " { .param .b64 n; .param .b64 r; st.param.b64 [n], 70;\n"
        "   call.uni (r), malloc, (n); ld.param.b64 %d, [r]; }\n"
        " mov.u32 %r, %ctaid.x; st.u32 [%d], %r; st.u8 [%d+69], %r;\n"
        " { .param .b64 q; st.param.b64 [q], %d; call.uni free, (q); }\n ret; }\n";
    struct scene s;
    open_with(&s, (rill_sim_options){ .ptx_check = RILL_PTX_CHECK_RACES | RILL_PTX_CHECK_GLOBAL });
    load(&s, text);
    ok(run(&s, 3, 1, NULL));
    close_scene(&s);
}

static void the_heap_of_kernels_has_a_limit(void **state)
{
    (void)state;
    struct scene s;
    rill_devptr out = 0;
    uint64_t word = 0;
    open_with(&s, (rill_sim_options){ .ptx_heap_bytes = 10000 });
    load(&s, MALLOC);
    ok(rill_mem_alloc(s.context, 8, &out));
    assert_int_equal(ask_for(&s, out, 20000), 0);
    uint64_t first = ask_for(&s, out, 6000);
    assert_int_not_equal(first, 0);
    assert_int_equal(ask_for(&s, out, 6000), 0);
    for (int i = 0; i < 1000; i++) assert_int_not_equal(ask_for(&s, out, 1), 0);
    /* It stays from launch to launch, and no program frees it. */
    ok(rill_memcpy_dtoh(s.context, &word, first, 8));
    is(INVALID, rill_mem_free(s.context, first));
    close_scene(&s);
}

static void what_kernels_did_not_free_goes_with_their_context(void **state)
{
    (void)state;
    struct scene s;
    rill_devptr out = 0;
    open_with(&s, (rill_sim_options){ .ptx_heap_bytes = 10000 });
    for (int i = 0; i < 3; i++) {
        load(&s, MALLOC);
        ok(rill_mem_alloc(s.context, 8, &out));
        assert_int_not_equal(ask_for(&s, out, 6000), 0);
        ok(rill_module_unload(&s.module));
        ok(rill_stream_destroy(&s.stream));
        ok(rill_context_destroy(&s.context));
        s.context = machine_context(s.platform, 0);
        ok(rill_stream_create(s.context, NULL, &s.stream));
    }
    close_scene(&s);
}

static void and_takes_what_pools_do_not_use(void **state)
{
    (void)state;
    struct scene s;
    rill_devptr out = 0;
    open_with(&s, (rill_sim_options){ .memory_bytes = 16 * MIB });
    load(&s, MALLOC);
    ok(rill_mem_alloc(s.context, 8, &out));
    fill_with_a_pool(&s);
    assert_int_not_equal(ask_for(&s, out, 4 * MIB), 0);
    close_scene(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_gpu_does_not_notice_goes_on_and_is_told_once),
        cmocka_unit_test(where_no_thread_goes_is_not_told),
        cmocka_unit_test(it_is_a_fault_where_nobody_listens),
        cmocka_unit_test(what_a_kernel_prints_arrives),
        cmocka_unit_test(the_first_fault_is_told_when_it_happens),
        cmocka_unit_test(that_a_machine_is_abandoned_is_no_fault),
        cmocka_unit_test(memory_that_was_freed_is_no_race_for_who_gets_it),
        cmocka_unit_test(the_heap_of_kernels_has_a_limit),
        cmocka_unit_test(what_kernels_did_not_free_goes_with_their_context),
        cmocka_unit_test(and_takes_what_pools_do_not_use),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
