/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies of the simulator: where bytes go, when they are read, and who waits.
 */
#include "sim/memory/copy_scene.h"

/* ---- Kinds of memory ------------------------------------------------------- */

static rill_place place(rill_memory_kind kind, rill_devptr address)
{
    return (rill_place){ .kind = kind, .address = address };
}

static void kinds_of_memory(void **state)
{
    (void)state;
    rill_context *c = machine.context[0];
    const rill_memory_kind H = RILL_MEMORY_HOST, D = RILL_MEMORY_DEVICE, U = RILL_MEMORY_UNIFIED;
    rill_devptr freed = 0;
    ok(rill_mem_alloc(c, 64, &freed));
    ok(rill_mem_free(c, freed));
    const struct {
        rill_status status;
        rill_memory_kind kind;
        rill_devptr address;
    } cases[] = {
        { 0, D, device_a },       { 0, D, at(pinned) },   { INVALID, D, at(host) },
        { INVALID, D, 0 },        { INVALID, D, 0x1000 }, { INVALID, D, freed },
        { 0, H, device_a },       { 0, H, at(pinned) },   { 0, H, at(host) },
        { INVALID, H, 0 },        { INVALID, H, freed },  { 0, U, device_a },
        { 0, U, at(pinned) },     { 0, U, at(host) },     { INVALID, U, 0 },
        { INVALID, U, freed },    { INVALID, 0, device_a }, { INVALID, 3, device_a },
        { INVALID, H, device_a + 4 * MIB - 8 }, { INVALID, U, device_a + 4 * MIB - 8 },
        { INVALID, D, at(pinned) + 65530 },     { INVALID, H, at(pinned) + 65530 },
        { INVALID, U, at(pinned) + 65530 },
        { 0, H, at(host) + 32760 },             { INVALID, H, at(host) + 36860 },
    };
    ok(rill_host_register(c, host + 32768, 4096, 0)); /* the last two run into and out of it */
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        answers(cases[i].status, box(rill_device_place(device_b + 64),
                                     place(cases[i].kind, cases[i].address), 16, 1, 1));
    ok(rill_host_unregister(c, host + 32768));
    answers(RILL_SUCCESS, box(rill_host_place(host), rill_host_place(host + 1024), 16, 2, 1));
}

static void what_is_told_of_a_refused_copy(void **state)
{
    (void)state;
    rill_context *c = machine.context[0];
    rill_devptr p = 0;
    ok(rill_mem_alloc(c, 100, &p));
    is(INVALID, rill_memcpy_htod(c, p + 40, host, 72));
    blames("dst", "72 bytes at 0x", " go 12 beyond the end of the allocation of 100 bytes at 0x");
    is(INVALID, rill_memcpy_dtoh(c, host, p, 101));
    blames("src", "101 bytes at 0x", " go 1 beyond");
    rill_copy copy = box(rill_host_place(host), rill_device_place(p), 30, 3, 2);
    is(INVALID, rill_memcpy_box(c, &copy));
    blames("src", "a box of 30 x 3 x 2 bytes", "goes 80 beyond");
    copy.src.pitch = 29;
    is(INVALID, rill_memcpy_box(c, &copy));
    blames("src", "a pitch of 29 bytes is less than x + width, 30", "");
    ok(rill_mem_free(c, p));
    is(INVALID, rill_memcpy_dtoh_async(machine.stream[0], host, p, 4));
    blames("src", "an address of a device where nothing is allocated", "0x");
    is(INVALID, rill_memcpy_dtod(c, device_a, at(host), 4));
    blames("src", "ordinary host memory", "0x");
    is(INVALID, rill_memset_d8(c, device_a + 4 * MIB - 4, 0, 8));
    blames("dst", "8 bytes at 0x", " go 4 beyond the end of the allocation of 4194304 bytes");
    is(INVALID, rill_memcpy_htod(c, 0, host, 4));
    blames("dst", "dst is NULL; pass the address of the memory", "");
}

static void sides_that_are_swapped_are_said_to_be(void **state)
{
    (void)state;
    rill_context *c = machine.context[0];
    void *device = (void *)(uintptr_t)device_a;
    is(INVALID, rill_memcpy_htod(c, at(host), device, 4));
    blames("dst", "dst is 0x", "is device memory; are they swapped?");
    is(INVALID, rill_memcpy_dtoh(c, device, at(host), 4));
    blames("src", "src is 0x", "is device memory; are they swapped?");
    is(INVALID, rill_memcpy_htod(c, at(host), host, 4));
    blames("dst", "is not in an allocation: it is ordinary host memory", "");
}

/* ---- Where the bytes go ---------------------------------------------------- */

struct layout {
    size_t pitch, slice, first; /* first: from the address to the box */
};

static rill_place random_place(struct dice *dice, rill_place side, const rill_copy *copy,
                               struct layout *layout)
{
    side.x = (size_t)dice_below(dice, 9);
    side.y = (size_t)dice_below(dice, 3);
    side.z = (size_t)dice_below(dice, 3);
    size_t pitch = side.x + copy->width, rows = side.y + copy->height;
    if (dice_chance(dice, 60)) pitch = side.pitch = pitch + (size_t)dice_below(dice, 5);
    if (dice_chance(dice, 60)) rows = side.rows = rows + (size_t)dice_below(dice, 3);
    *layout = (struct layout){ pitch, pitch * rows, 0 };
    layout->first = side.z * layout->slice + side.y * pitch + side.x;
    return side;
}

static void copy_plainly(unsigned char *dst, const struct layout *to, const unsigned char *src,
                         const struct layout *from, const rill_copy *copy)
{
    for (size_t z = 0; z < copy->depth; z++)
        for (size_t y = 0; y < copy->height; y++)
            for (size_t x = 0; x < copy->width; x++)
                dst[to->first + z * to->slice + y * to->pitch + x] =
                    src[from->first + z * from->slice + y * from->pitch + x];
}

/* A place that has SIDE bytes, and how to get at them. */
static rill_place side_of(struct dice *dice, rill_devptr device, unsigned char *pageable)
{
    switch (dice_below(dice, 4)) {
    case 0: return rill_device_place(device);
    case 1: return rill_host_place(pageable);
    case 2: return place(RILL_MEMORY_UNIFIED, device);
    default: return place(RILL_MEMORY_UNIFIED, at(pageable));
    }
}

static void run_boxes(uint64_t seed, rill_devptr dst_device, rill_devptr src_device)
{
    static unsigned char src_host[SIDE], dst_host[SIDE], before[SIDE], wanted[SIDE], got[SIDE];
    rill_context *c = machine.context[0];
    struct dice dice = { seed };
    rill_copy copy = { .width = 1 + (size_t)dice_below(&dice, 20),
                       .height = 1 + (size_t)dice_below(&dice, 5),
                       .depth = 1 + (size_t)dice_below(&dice, 4) };
    struct layout to, from;
    copy.dst = random_place(&dice, side_of(&dice, dst_device, dst_host), &copy, &to);
    copy.src = random_place(&dice, side_of(&dice, src_device, src_host), &copy, &from);
    bool dst_is_host = copy.dst.address == at(dst_host), async = dice_chance(&dice, 50);
    for (int i = 0; i < SIDE; i++) {
        src_host[i] = (unsigned char)dice_next(&dice);
        before[i] = (unsigned char)dice_next(&dice);
    }
    memcpy(wanted, before, SIDE);
    copy_plainly(wanted, &to, src_host, &from, &copy);
    memcpy(dst_host, before, SIDE);
    ok(rill_memcpy_htod(c, src_device, src_host, SIDE));
    ok(rill_memcpy_htod(c, dst_device, before, SIDE));
    ok(rill_context_synchronize(c)); /* the streams are non-blocking */
    if (async) ok(rill_memcpy_box_async(machine.stream[0], &copy));
    else ok(rill_memcpy_box(c, &copy));
    if (async && !dst_is_host) memset(src_host, 0, SIDE); /* it was read already */
    ok(rill_stream_synchronize(machine.stream[0]));
    if (dst_is_host) memcpy(got, dst_host, SIDE);
    else ok(rill_memcpy_dtoh(c, got, dst_device, SIDE));
    assert_memory_equal(got, wanted, SIDE);
}

static void boxes_go_where_they_belong(void **state)
{
    (void)state;
    rill_devptr dst = 0, src = 0;
    ok(rill_mem_alloc(machine.context[0], SIDE, &dst));
    ok(rill_mem_alloc(machine.context[0], SIDE, &src));
    for (uint64_t seed = 0; seed < (uint64_t)scaled(3000); seed++) run_boxes(seed, dst, src);
    ok(rill_mem_free(machine.context[0], dst));
    ok(rill_mem_free(machine.context[0], src));
}

/* No result to rely on, but an answer, and nothing outside is touched. */
static void overlapping_copies_do_no_harm(void **state)
{
    (void)state;
    enum { MARGIN = 4, INSIDE = 12, WORDS = MARGIN + INSIDE + MARGIN };
    rill_context *c = machine.context[0];
    const rill_devptr inside = device_a + 4 * MARGIN;
    uint32_t words[WORDS];
    ok(rill_memset_d32(c, device_a, 9, WORDS));
    ok(rill_memset_d32(c, inside, 5, INSIDE));
    ok(rill_memcpy_dtod(c, inside + 4, inside + 8, 40));
    ok(rill_memcpy_dtod(c, inside + 8, inside + 4, 40));
    ok(rill_memcpy_dtod(c, inside, inside, 40));
    rill_copy copy = box(rill_device_place(inside + 4), rill_device_place(inside), 8, 4, 1);
    copy.dst.pitch = copy.src.pitch = 12;
    ok(rill_memcpy_box(c, &copy));
    ok(rill_memcpy_dtoh(c, words, device_a, sizeof words));
    for (int i = 0; i < WORDS; i++)
        assert_int_equal(words[i], i < MARGIN || i >= MARGIN + INSIDE ? 9 : 5);
}

/* ---- When the source is read, and who waits -------------------------------- */

static void pageable_sources_are_read_at_once(void **state)
{
    (void)state;
    rill_context *c = machine.context[0];
    rill_stream *s = machine.stream[0];
    uint32_t pageable = 1, got[2];
    uint32_t *word = (uint32_t *)(void *)pinned;
    *word = 1;
    int held = gate(&machine, s);
    ok(rill_memcpy_htod_async(s, device_a, &pageable, 4));
    ok(rill_memcpy_htod_async(s, device_a + 4, word, 4));
    pageable = 2;
    __atomic_store_n(word, 2, __ATOMIC_SEQ_CST);
    open_gate(&machine, held);
    ok(rill_stream_synchronize(s));
    ok(rill_memcpy_dtoh(c, got, device_a, 8));
    assert_int_equal(got[0], 1);
    assert_int_equal(got[1], 2);
}

struct transfer {
    rill_devptr dst, src;
    int form; /* 0 in the stream, 1 synchronous */
};

static rill_status transfer(void *data)
{
    const struct transfer *t = data;
    return t->form ? rill_memcpy(machine.context[0], t->dst, t->src, 64)
                   : rill_memcpy_async(machine.stream[0], t->dst, t->src, 64);
}

static void staged_bytes_are_given_back(void **state)
{
    (void)state;
    long live = 0;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 50; i++)
            done(rill_memcpy_htod_async(machine.stream[0], device_a, host, 64));
        if (round) assert_true(rl_alloc_live() < live + 25); /* a queue may grow by some */
        live = rl_alloc_live();
    }
}

static void copies_that_wait(void **state)
{
    (void)state;
    const rill_devptr A = device_a, B = device_b, H = at(host), I = at(host + 1024);
    const rill_devptr P = at(pinned), Q = at(pinned + 1024);
    const struct {
        rill_devptr dst, src;
        bool wait;
    } cases[] = { { A, B, 0 }, { A, P, 0 }, { P, A, 0 }, { A, H, 0 }, { H, A, 1 },
                  { H, I, 1 }, { H, P, 1 }, { P, H, 1 }, { P, Q, 1 } };
    rill_stream *s = machine.stream[0];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct transfer t = { cases[i].dst, cases[i].src, 0 };
        if (cases[i].wait) waits(&machine, s, transfer, &t);
        else does_not_wait(&machine, s, transfer, &t);
        ok(rill_stream_synchronize(s));
    }
}

static rill_status fill_pinned(void *data)
{
    const struct transfer *t = data;
    return rill_memset_d8(machine.context[0], t->dst, 1, 64);
}

/* Synchronous ones are ordered behind blocking streams, and wait for host memory. */
static void synchronous_copies_that_wait(void **state)
{
    (void)state;
    rill_context *c = machine.context[0];
    rill_stream *blocking = NULL;
    ok(rill_stream_create(c, NULL, &blocking));
    struct transfer t = { device_a, device_b, 1 };
    does_not_wait(&machine, blocking, transfer, &t);
    t = (struct transfer){ at(pinned), device_b, 1 };
    waits(&machine, blocking, transfer, &t);
    t = (struct transfer){ device_a, at(host), 1 };
    waits(&machine, blocking, transfer, &t);
    t = (struct transfer){ device_a, device_b, 1 };
    ok(rill_pointer_set_sync_memops(c, device_b, 1));
    waits(&machine, blocking, transfer, &t);
    ok(rill_pointer_set_sync_memops(c, device_b, 0));
    does_not_wait(&machine, blocking, transfer, &t);
    does_not_wait(&machine, blocking, fill_pinned, &t);
    t.dst = at(pinned);
    waits(&machine, blocking, fill_pinned, &t);
    ok(rill_context_synchronize(c));
    ok(rill_stream_destroy(&blocking));
}

static void short_memory_refuses_a_pageable_copy(void **state)
{
    (void)state;
    rill_stream *s = machine.stream[0];
    ok(rill_memcpy_htod_async(s, device_a, host, 4096)); /* the queue has room now */
    long live = rl_alloc_live();
    rl_alloc_fail_after(0);
    rill_status status = rill_memcpy_htod_async(s, device_a, host, 4096);
    rl_alloc_fail_after(-1);
    is(RILL_ERROR_OUT_OF_MEMORY, status);
    ok(rill_stream_synchronize(s));
    assert_true(comes_down_to(live));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_of_memory),
        cmocka_unit_test(what_is_told_of_a_refused_copy),
        cmocka_unit_test(sides_that_are_swapped_are_said_to_be),
        cmocka_unit_test(boxes_go_where_they_belong),
        cmocka_unit_test(overlapping_copies_do_no_harm),
        cmocka_unit_test(pageable_sources_are_read_at_once),
        cmocka_unit_test(staged_bytes_are_given_back),
        cmocka_unit_test(copies_that_wait),
        cmocka_unit_test(synchronous_copies_that_wait),
        cmocka_unit_test(short_memory_refuses_a_pageable_copy),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
