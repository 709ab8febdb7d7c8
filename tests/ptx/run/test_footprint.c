/* SPDX-License-Identifier: Apache-2.0
 *
 * The footprint of a launch has exactly the bytes of global memory that its threads touched.
 */
#include <stdio.h>

#include "base/bytes/footprint.h"
#include "ptx/machine.h"

#define READ RILL_TOUCH_READ
#define WRITE RILL_TOUCH_WRITE
#define ATOMIC RILL_TOUCH_ATOMIC

/* Kernels of two buffers; %i is the number of the thread in the grid, and %o and %n are the
 * addresses of its elements of 4 bytes. */
#define KERNEL(name, body) \
    ".visible .entry " name "(.param .u64 out, .param .u64 in)\n{\n" \
    ".reg .pred %p, %q; .reg .b32 %i, %s, %b, %x<5>; .reg .b64 %out, %in, %o, %n, %a;\n" \
    ".shared .align 16 .b8 shared[4096]; .local .align 16 .b8 local[64];\n" \
    "ld.param.u64 %out, [out]; ld.param.u64 %in, [in]; mov.u32 %i, %tid.x;\n" \
    "mov.u32 %s, %ntid.x; mov.u32 %b, %ctaid.x; mad.lo.u32 %i, %b, %s, %i; mov.u32 %x0, 7;\n" \
    "mad.wide.u32 %o, %i, 4, %out; mad.wide.u32 %n, %i, 4, %in;\n" body "\nret;\n}\n"

static const char text[] =
    ".version 8.8\n.target sm_100\n.address_size 64\n"
    ".global .align 4 .b8 words[8] = { 110, 61, 37, 100, 10, 0, 0, 0 };\n"
    ".const .align 4 .u32 seven = 7;\n"
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 v);\n"
    KERNEL("fill", "st.global.u32 [%o], %x0;")
    KERNEL("copy", "ld.global.u32 %x1, [%n]; st.global.u32 [%o], %x1;")
    KERNEL("update", "ld.u32 %x1, [%o]; st.u32 [%o], %x1;")
    KERNEL("even", "mad.wide.u32 %o, %i, 8, %out; st.global.u32 [%o], %x0;")
    KERNEL("back", "mul.wide.u32 %a, %i, 8; sub.u64 %o, %out, %a; st.global.u32 [%o+8192], %x0;")
    KERNEL("one", "ld.global.u32 %x1, [%in]; setp.eq.u32 %p, %i, 3; @%p st.global.u32 [%o], %x1;")
    KERNEL("vector", "mad.wide.u32 %n, %i, 32, %in; ld.global.v4.u32 {%x1,%x2,%x3,%x4}, [%n];\n"
                     "mad.wide.u32 %o, %i, 16, %out; st.global.v2.u32 [%o], {%x1, %x2};")
    KERNEL("odd_lanes", "and.b32 %x1, %i, 1; setp.eq.u32 %p, %x1, 1; @%p bra ODD;\n"
                        "st.global.u32 [%o], %x0; bra END; ODD: ld.global.u32 %x1, [%o]; END:")
    KERNEL("count", "atom.global.add.u32 %x1, [%out], 1; red.global.add.f32 [%n], 0f3F800000;\n"
                    "atom.global.cas.b32 %x2, [%out+8], 0, 1;")
    KERNEL("strong", "ld.volatile.global.u32 %x1, [%n]; st.relaxed.gpu.global.u32 [%o], %x1;")
    KERNEL("inner", "mov.u32 %x2, %tid.x; mul.wide.u32 %a, %x2, 4; mov.u64 %n, shared;\n"
                    "cvta.shared.u64 %n, %n; add.u64 %n, %n, %a; st.u32 [%n], %x0;\n"
                    "st.local.u32 [local], %x0; ld.local.u32 %x1, [local];\n"
                    "mov.u64 %n, local; cvta.local.u64 %n, %n;\n"
                    "atom.shared.add.u32 %x1, [shared], 1;\n"
                    "ld.u32 %x1, [%n];")
    KERNEL("constant", "ld.const.u32 %x1, [seven];")
    KERNEL("gather", "ld.global.u32 %x1, [%n]; mad.wide.u32 %o, %x1, 4, %out;\n"
                     "setp.ge.u32 %p, %x1, 0x40000000; @%p bra END; shr.u32 %x3, %x1, 28;\n"
                     "setp.eq.u32 %p, %x3, 0; and.b32 %x2, %x1, 3; setp.eq.u32 %q, %x2, 1;\n"
                     "@%q bra WRITES; setp.eq.u32 %q, %x2, 2; @%q bra ADDS;\n"
                     "ld.global.u8 %x3, [%o]; bra END; WRITES: st.global.u16 [%o], %x0; bra END;\n"
                     "ADDS: red.global.add.u32 [%o], 1; END:")
    KERNEL("places", "ld.global.u32 %x1, [%n]; mad.wide.u32 %o, %x1, 2, %out;\n"
                     "st.global.u16 [%o], %x0;")
    KERNEL("generic", "ld.global.u32 %x1, [%n]; mad.wide.u32 %o, %x1, 2, %out; st.u16 [%o], %x0;")
    KERNEL("tile", "mov.u32 %x1, %tid.y; mov.u32 %x2, %tid.x; mad.lo.u32 %x2, %b, 16, %x2;\n"
                   "mad.lo.u32 %x1, %x1, 256, %x2; mad.wide.u32 %o, %x1, 4, %out;\n"
                   "st.global.u32 [%o], %x0;")
    KERNEL("transpose", "mov.u32 %x1, %tid.y; mov.u32 %x2, %ntid.y; mov.u32 %x3, %ctaid.y;\n"
                        "mad.lo.u32 %x1, %x2, %x3, %x1; mad.lo.u32 %x1, %i, 256, %x1;\n"
                        "mad.wide.u32 %o, %x1, 4, %out; st.global.u32 [%o], %x0;")
    KERNEL("print", "{ .param .b64 f; .param .b64 v; .param .b32 r; mov.u64 %a, words;\n"
                    "cvta.global.u64 %a, %a; st.local.u32 [local], %x0; mov.u64 %n, local;\n"
                    "cvta.local.u64 %n, %n; st.param.b64 [f], %a; st.param.b64 [v], %n;\n"
                    "call (r), vprintf, (f, v); }");

enum { BYTES = 1 << 20 };

struct place {
    struct machine *m;
    unsigned char *out, *in;
    struct rl_footprint *print;
};

static struct place open_place(void)
{
    struct place p = { .m = machine_open(), .print = rl_footprint_create(0) };
    assert_non_null(p.print);
    machine_load(p.m, text);
    p.out = machine_memory(p.m, BYTES);
    p.in = machine_memory(p.m, BYTES);
    return p;
}

static void close_place(struct place *p)
{
    rl_footprint_destroy(p->print);
    machine_close(p->m);
}

static void run_shape(struct place *p, const char *kernel, struct machine_shape shape)
{
    struct { void *out, *in; } params = { p->out, p->in };
    rl_footprint_clear(p->print);
    shape.footprint = p->print;
    machine_run(p->m, kernel, &shape, &params, sizeof params);
    assert_true(rl_footprint_exact(p->print, NULL));
}

static void run(struct place *p, const char *kernel, uint32_t blocks, uint32_t threads)
{
    run_shape(p, kernel, (struct machine_shape){ .grid = { blocks }, .block = { threads } });
}

static size_t count_rows(const struct place *p)
{
    struct rill_touched *rows;
    size_t count;
    assert_true(rl_footprint_rows(p->print, SIZE_MAX, &rows, &count));
    rl_free(rows);
    return count;
}

/* Some row is exactly this one. */
static void has(const struct place *p, const void *base, uint64_t offset, uint64_t bytes,
                uint32_t how)
{
    struct rill_touched *rows;
    size_t count, i = 0;
    assert_true(rl_footprint_rows(p->print, SIZE_MAX, &rows, &count));
    while (i < count && rows[i].address != (uintptr_t)base + offset) i++;
    assert_true(i < count);
    assert_int_equal(rows[i].bytes, bytes);
    assert_int_equal(rows[i].how, how);
    rl_free(rows);
}

/* ---- Patterns ----------------------------------------------------------------------------- */

static void contiguous_threads_make_one_row(void **state)
{
    (void)state;
    struct place p = open_place();
    static const uint32_t threads[] = { 1, 2, 3, 33, 256, 1000 };
    for (unsigned i = 0; i < 6; i++) {
        run(&p, "fill", 5, threads[i]);
        assert_int_equal(count_rows(&p), 1);
        has(&p, p.out, 0, 5 * 4 * threads[i], WRITE);
        run(&p, "copy", 5, threads[i]);
        assert_int_equal(count_rows(&p), 2);
        has(&p, p.out, 0, 5 * 4 * threads[i], WRITE);
        has(&p, p.in, 0, 5 * 4 * threads[i], READ);
        run(&p, "update", 5, threads[i]);
        assert_int_equal(count_rows(&p), 1);
        has(&p, p.out, 0, 5 * 4 * threads[i], READ | WRITE);
    }
    close_place(&p);
}

static void strides_have_gaps(void **state)
{
    (void)state;
    struct place p = open_place();
    run(&p, "even", 4, 256);
    assert_int_equal(count_rows(&p), 1024);
    for (unsigned i = 0; i < 1024; i += 100) has(&p, p.out, 8 * i, 4, WRITE);
    run(&p, "back", 4, 256);
    assert_int_equal(count_rows(&p), 1024);
    has(&p, p.out, 8192, 4, WRITE);
    has(&p, p.out, 8, 4, WRITE);
    run(&p, "vector", 2, 64);
    assert_int_equal(count_rows(&p), 256);
    has(&p, p.in, 32, 16, READ);
    has(&p, p.out, 16, 8, WRITE);
    close_place(&p);
}

static void lanes_that_stay_away_touch_nothing(void **state)
{
    (void)state;
    struct place p = open_place();
    run(&p, "one", 1, 256);
    assert_int_equal(count_rows(&p), 2);
    has(&p, p.in, 0, 4, READ);
    has(&p, p.out, 12, 4, WRITE);
    run(&p, "odd_lanes", 3, 100);
    assert_int_equal(count_rows(&p), 300);
    has(&p, p.out, 0, 4, WRITE);
    has(&p, p.out, 4, 4, READ);
    has(&p, p.out, 4 * 298, 4, WRITE);
    close_place(&p);
}

static void blocks_of_two_dimensions_touch_tiles(void **state)
{
    (void)state;
    struct place p = open_place();
    run_shape(&p, "tile", (struct machine_shape){ .grid = { 3 }, .block = { 16, 16 } });
    assert_int_equal(count_rows(&p), 16);
    for (unsigned i = 0; i < 16; i++) has(&p, p.out, 1024 * i, 192, WRITE);
    run_shape(&p, "tile", (struct machine_shape){ .grid = { 16 }, .block = { 16, 16 } });
    assert_int_equal(count_rows(&p), 1);
    has(&p, p.out, 0, 16384, WRITE);
    close_place(&p);
}

static void atomic_operations_count_as_such_alone(void **state)
{
    (void)state;
    struct place p = open_place();
    run(&p, "count", 2, 64);
    assert_int_equal(count_rows(&p), 3);
    has(&p, p.out, 0, 4, ATOMIC);
    has(&p, p.out, 8, 4, ATOMIC);
    has(&p, p.in, 0, 512, ATOMIC);
    run(&p, "strong", 2, 64);
    assert_int_equal(count_rows(&p), 2);
    has(&p, p.in, 0, 512, READ);
    has(&p, p.out, 0, 512, WRITE);
    close_place(&p);
}

static void memory_of_threads_and_blocks_is_not_in_it(void **state)
{
    (void)state;
    struct place p = open_place();
    run(&p, "inner", 2, 128);
    assert_int_equal(count_rows(&p), 0);
    run(&p, "constant", 2, 128);
    assert_int_equal(count_rows(&p), 1);
    has(&p, machine_variable(p.m, "seven", NULL), 0, 4, READ);
    run(&p, "print", 1, 1);
    assert_string_equal(machine_printed(p.m), "n=7\n");
    assert_int_equal(count_rows(&p), 1);
    has(&p, machine_variable(p.m, "words", NULL), 0, 6, READ);
    close_place(&p);
}

/* ---- Against a byte for each byte --------------------------------------------------------- */

static bool expand_row(void *data, const struct rill_touched *row)
{
    const struct place *p = ((void **)data)[0];
    unsigned char *how = ((void **)data)[1];
    uint64_t offset = row->address - (uintptr_t)p->out;
    if (offset < BYTES) memset(how + offset, (int)row->how, row->bytes);
    return true;
}

/* What element says what its thread does: nothing, read a byte, write two, add to all four. */
static void gathers_are_exact(void **state)
{
    (void)state;
    static unsigned char expected[BYTES], found[BYTES];
    struct place p = open_place();
    uint64_t random = 1;
    for (unsigned round = 0; round < 40; round++) {
        uint32_t *in = (uint32_t *)(void *)p.in, blocks = 1 + round % 7, threads = 1 + round * 23;
        uint32_t span = 4u << round % 17;
        memset(expected, 0, sizeof expected);
        memset(found, 0, sizeof found);
        for (uint32_t i = 0; i < blocks * threads; i++) {
            random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
            uint32_t at = in[i] = (uint32_t)(random >> 33) % span;
            if (random >> 60 == 0) in[i] = UINT32_MAX;
            else if (at % 4 == 1) expected[4 * at] |= WRITE, expected[4 * at + 1] |= WRITE;
            else if (at % 4 == 2) for (int n = 0; n < 4; n++) expected[4 * at + n] |= ATOMIC;
            else expected[4 * at] |= READ;
        }
        run_shape(&p, "gather", (struct machine_shape){
            .grid = { blocks }, .block = { threads }, .threads = 1 + round % 4 });
        rl_footprint_each(p.print, expand_row, (void *[]){ &p, found });
        assert_memory_equal(found, expected, BYTES);
        has(&p, p.in, 0, 4 * blocks * threads, READ);
    }
    close_place(&p);
}

/* Lanes that lie as boxes of all shapes, some of them with a lane out of line. */
static void boxes_are_exact(void **state)
{
    (void)state;
    static unsigned char expected[BYTES], found[BYTES];
    struct place p = open_place();
    static const int32_t steps[] = { 0, 1, 2, 3, 64, 1000, -1, -2, -64 };
    for (uint32_t round = 0; round < 9 * 9 * 12; round++) {
        uint32_t *in = (uint32_t *)(void *)p.in, threads = 200 + round % 90;
        uint32_t width = 2 + round / 81 * 7, blocks = 1 + round % 2, odd = round % 5 ? 1000 : 77;
        int32_t step = steps[round % 9], pitch = steps[round / 9 % 9];
        memset(expected, 0, sizeof expected);
        memset(found, 0, sizeof found);
        for (uint32_t i = 0; i < blocks * threads; i++) {
            int32_t x = (int32_t)(i % width), y = (int32_t)(i / width);
            in[i] = (uint32_t)(250000 + x * step + y * pitch) % (BYTES / 2);
            if (i == odd) in[i] = 9;
            expected[2 * in[i]] = expected[2 * in[i] + 1] = WRITE;
        }
        run(&p, round / 9 % 2 ? "places" : "generic", blocks, threads);
        rl_footprint_each(p.print, expand_row, (void *[]){ &p, found });
        assert_memory_equal(found, expected, BYTES);
    }
    close_place(&p);
}

static void matrices_that_are_transposed_are_one_row(void **state)
{
    (void)state;
    struct place p = open_place();
    static const uint32_t edges[][2] = { { 16, 16 }, { 256, 1 }, { 32, 4 } };
    for (unsigned i = 0; i < 3; i++) {
        run_shape(&p, "transpose", (struct machine_shape){
            .grid = { 256 / edges[i][0], 256 / edges[i][1] },
            .block = { edges[i][0], edges[i][1] } });
        assert_int_equal(count_rows(&p), 1);
        has(&p, p.out, 0, 4 * 256 * 256, WRITE);
    }
    close_place(&p);
}

static void threads_that_run_blocks_share_a_footprint(void **state)
{
    (void)state;
    struct place p = open_place();
    run_shape(&p, "copy", (struct machine_shape){ .grid = { 1000 }, .block = { 256 },
                                                  .threads = 8 });
    assert_int_equal(count_rows(&p), 2);
    has(&p, p.out, 0, 1024000, WRITE);
    run_shape(&p, "even", (struct machine_shape){ .grid = { 500 }, .block = { 256 },
                                                  .threads = 8 });
    assert_int_equal(count_rows(&p), 128000);
    close_place(&p);
}

/* Wherever memory runs out, the kernel ends well, and nothing is missing unsaid. */
static void short_memory_fails_no_kernel(void **state)
{
    (void)state;
    struct place p = open_place();
    struct { void *out, *in; } params = { p.out, p.in };
    bool lost = false, kept = false;
    for (long after = 0; after < 8; after++) {
        struct machine_shape shape = { .grid = { 9 }, .block = { 256 }, .footprint = p.print };
        rl_footprint_destroy(p.print);
        p.print = shape.footprint = rl_footprint_create(0);
        rl_alloc_fail_after(1 + after);
        machine_run(p.m, "gather", &shape, &params, sizeof params);
        rl_alloc_fail_after(-1);
        if (rl_footprint_exact(p.print, NULL)) kept = true;
        else lost = true;
    }
    assert_true(lost && kept);
    close_place(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contiguous_threads_make_one_row),
        cmocka_unit_test(strides_have_gaps),
        cmocka_unit_test(lanes_that_stay_away_touch_nothing),
        cmocka_unit_test(blocks_of_two_dimensions_touch_tiles),
        cmocka_unit_test(atomic_operations_count_as_such_alone),
        cmocka_unit_test(memory_of_threads_and_blocks_is_not_in_it),
        cmocka_unit_test(gathers_are_exact),
        cmocka_unit_test(boxes_are_exact),
        cmocka_unit_test(matrices_that_are_transposed_are_one_row),
        cmocka_unit_test(threads_that_run_blocks_share_a_footprint),
        cmocka_unit_test(short_memory_fails_no_kernel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
