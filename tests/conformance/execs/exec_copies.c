/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies and fills of an exec: which changes it takes, node by node and as a
 * whole.
 */
#include "conformance/execs/exec_work.h"

#include <string.h>

#define BYTES (TRIAL_WORDS * 4)

/* Changes the only node of an exec of its own: by itself, or from a graph. */
static rill_status change(const struct trial *t, bool whole, rill_op from, rill_op to,
                          rill_exec **exec)
{
    rill_graph *g = new_graph(t->f), *other;
    rill_update_result result = { RILL_UPDATE_SUCCESS, NULL, NULL };
    rill_node node = add(g, NULL, from);
    *exec = new_exec(t->f, g);
    if (!whole) return set_op(*exec, node, to);
    other = new_graph(t->f);
    node = add(other, NULL, to);
    rill_status status = rill_exec_update(*exec, other, &result);
    assert_int_equal(result.reason, status ? RILL_UPDATE_PARAMETERS_CHANGED : RILL_UPDATE_SUCCESS);
    assert_ptr_equal(result.node, status ? node : NULL);
    return status;
}

static rill_status refusal(bool whole)
{
    return whole ? RILL_ERROR_GRAPH_EXEC_UPDATE_FAILURE : RILL_ERROR_INVALID_VALUE;
}

/* Launches over zeroed words: how many bytes are not 0 then, and which is first. */
static void bytes_set(const struct trial *t, rill_exec *exec, unsigned wanted, unsigned first)
{
    unsigned char bytes[BYTES];
    unsigned count = 0, at = 0;
    zero_words(t);
    go(t, exec);
    ok(rill_memcpy_dtoh(t->f->context, bytes, t->words, BYTES));
    for (unsigned i = BYTES; i-- > 0;)
        if (bytes[i]) {
            count++;
            at = i;
        }
    assert_int_equal(count, wanted);
    assert_int_equal(at, first);
}

struct fill_change {
    unsigned offset;
    uint32_t value, element;
    size_t width, height, pitch;
    bool good;
    unsigned bytes, first;
};

static rill_op fill_of(const struct trial *t, const struct fill_change *change)
{
    return (rill_op){
        .kind = RILL_OP_MEMSET,
        .memset = { .dst = t->words + change->offset, .pitch = change->pitch,
                    .value = change->value, .element_bytes = change->element,
                    .width = change->width, .height = change->height },
    };
}

static void fills(void **state, const struct fill_change *from, const struct fill_change *changes,
                  size_t count)
{
    struct trial t = trial(state);
    for (size_t i = 0; i < 2 * count; i++) {
        const struct fill_change *to = &changes[i / 2];
        rill_exec *exec;
        is(to->good ? RILL_SUCCESS : refusal(i % 2),
           change(&t, i % 2, fill_of(&t, from), fill_of(&t, to), &exec));
        if (to->good) bytes_set(&t, exec, to->bytes, to->first);
        else bytes_set(&t, exec, from->bytes, from->first);
    }
}

/* update.memset_1d, update.whole_memset_1d */
static void a_fill_of_one_row_may_become_any_other(void **state)
{
    static const struct fill_change from = { 0, 0x01010101, 4, 8, 1, 0, true, 32, 0 };
    static const struct fill_change changes[] = {
        { 0, 0x01010101, 4, 8, 1, 0, true, 32, 0 },    { 0, 0x02000000, 4, 8, 1, 0, true, 8, 3 },
        { 128, 0x01010101, 4, 8, 1, 0, true, 32, 128 }, { 0, 0x01010101, 4, 3, 1, 0, true, 12, 0 },
        { 0, 0x01010101, 4, 128, 1, 0, true, 512, 0 }, { 0, 0x0101, 2, 16, 1, 0, true, 32, 0 },
        { 0, 1, 1, 8, 1, 0, true, 8, 0 },              { 1, 1, 1, 7, 1, 0, true, 7, 1 },
        { 0, 0x01010101, 4, 8, 1, 64, true, 32, 0 },   { 0, 0x01010101, 4, 8, 2, 64, false, 0, 0 },
        { 0, 0x01010101, 4, 8, 2, 32, false, 0, 0 },
    };
    fills(state, &from, changes, sizeof changes / sizeof *changes);
}

/* update.memset_2d */
static void a_fill_of_several_rows_keeps_its_shape(void **state)
{
    static const struct fill_change from = { 0, 0x01010101, 4, 4, 4, 32, true, 64, 0 };
    static const struct fill_change changes[] = {
        { 0, 0x01010101, 4, 4, 4, 32, true, 64, 0 },    { 0, 0x02000000, 4, 4, 4, 32, true, 16, 3 },
        { 128, 0x01010101, 4, 4, 4, 32, true, 64, 128 },
        { 0, 0x01010101, 4, 2, 4, 32, false, 0, 0 },
        { 0, 0x01010101, 4, 8, 4, 32, false, 0, 0 },    { 0, 0x01010101, 4, 4, 2, 32, false, 0, 0 },
        { 0, 0x01010101, 4, 4, 8, 32, false, 0, 0 },    { 0, 0x01010101, 4, 4, 4, 64, false, 0, 0 },
        { 0, 0x0101, 2, 8, 4, 32, false, 0, 0 },        { 0, 0x01010101, 4, 4, 1, 32, false, 0, 0 },
        { 0, 0x01010101, 4, 16, 1, 0, false, 0, 0 },
    };
    fills(state, &from, changes, sizeof changes / sizeof *changes);
}

/* update.whole_memcpy_1d */
static void a_copy_of_one_row_may_become_any_other(void **state)
{
    struct trial t = trial(state);
    static const struct {
        unsigned dst, src, bytes;
    } changes[] = { { 0, 0, 16 }, { 64, 0, 16 }, { 0, 128, 16 }, { 32, 64, 16 },
                    { 0, 0, 4 },  { 1, 3, 5 },   { 0, 0, 256 } };
    rill_devptr source = device_words(t.f, TRIAL_WORDS);
    unsigned char bytes[BYTES];
    memset(bytes, 7, sizeof bytes);
    ok(rill_memcpy_htod(t.f->context, source, bytes, BYTES));
    rill_op from = copy_op(rill_device_place(t.words), rill_device_place(source), 16);
    for (size_t i = 0; i < 2 * (sizeof changes / sizeof *changes); i++) {
        size_t n = i / 2;
        rill_exec *exec;
        rill_op to = copy_op(rill_device_place(t.words + changes[n].dst),
                             rill_device_place(source + changes[n].src), changes[n].bytes);
        ok(change(&t, i % 2, from, to, &exec));
        bytes_set(&t, exec, changes[n].bytes, changes[n].dst);
    }
    rill_exec *exec;
    from.memcpy.width = 16;
    rill_op nothing = copy_op(rill_device_place(t.words), rill_device_place(source), 0);
    is(RILL_ERROR_INVALID_VALUE, change(&t, false, from, nothing, &exec));
    bytes_set(&t, exec, 16, 0);
}

/* A launch does this copy, of one word. */
static void copies(const struct trial *t, rill_exec *exec, const rill_op *op)
{
    static uint32_t written;
    uint32_t arrived = 0;
    written++;
    ok(rill_memcpy(t->f->context, op->memcpy.src.address, at(&written), 4));
    ok(rill_stream_synchronize(t->f->legacy)); /* see poke() */
    go(t, exec);
    ok(rill_memcpy(t->f->context, at(&arrived), op->memcpy.dst.address, 4));
    assert_int_equal(arrived, written);
}

/* The kinds of memory that are declared, and the devices and the host that have
 * it, stay. */
static void a_copy_stays_between_memory_of_its_kinds(void **state)
{
    struct trial t = trial(state);
    static uint32_t words[4];
    uint32_t *host = pinned(t.f, 64);
    rill_place device = rill_device_place(t.words), here = rill_host_place(host);
    rill_place other = rill_device_place(word(&t, 8)), unified = other;
    unified.kind = RILL_MEMORY_UNIFIED;
    rill_op down = copy_op(here, device, 4), up = copy_op(device, here, 4);
    rill_op inside = copy_op(other, device, 4), loose = copy_op(unified, device, 4);
    rill_op within = inside, pageable = up;
    within.memcpy.dst.address = address_of(t.f, new_word(t.f)); /* the device's name for it */
    pageable.memcpy.src = rill_host_place(words);
    const struct {
        rill_op from, to;
        bool good;
    } changes[] = { { down, down, true },   { down, up, false },     { up, inside, false },
                    { up, up, true },       { inside, down, false }, { inside, loose, false },
                    { up, pageable, true }, { pageable, up, true },  { inside, within, true } };
    for (size_t i = 0; i < 2 * (sizeof changes / sizeof *changes); i++) {
        const rill_op *from = &changes[i / 2].from, *to = &changes[i / 2].to;
        bool good = changes[i / 2].good;
        rill_exec *exec;
        is(good ? RILL_SUCCESS : refusal(i % 2), change(&t, i % 2, *from, *to, &exec));
        copies(&t, exec, good ? to : from);
    }
}

/* Measured. */
static void a_copy_of_several_rows_stays_as_it_is(void **state)
{
    struct trial t = trial(state);
    rill_devptr source = device_words(t.f, TRIAL_WORDS);
    ok(rill_memset_d8(t.f->context, source, 7, BYTES));
    rill_op flat = copy_op(rill_device_place(t.words), rill_device_place(source), 16);
    rill_op rows = flat, moved, wide, high, pitched;
    rows.memcpy.width = 8;
    rows.memcpy.height = 4;
    rows.memcpy.dst.pitch = rows.memcpy.src.pitch = 32;
    moved = wide = high = pitched = rows;
    moved.memcpy.dst.address += 4;
    wide.memcpy.width = 16;
    high.memcpy.height = 2;
    pitched.memcpy.dst.pitch = 16;
    const rill_op others[] = { flat, moved, wide, high, pitched };
    rill_exec *exec;
    for (int whole = 0; whole < 2; whole++) {
        ok(change(&t, whole, rows, rows, &exec));
        bytes_set(&t, exec, 32, 0);
        is(refusal(whole), change(&t, whole, flat, rows, &exec));
        bytes_set(&t, exec, 16, 0);
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            is(refusal(whole), change(&t, whole, rows, others[i], &exec));
            bytes_set(&t, exec, 32, 0);
        }
    }
}

/* update.memcpy_errors */
static void copies_of_what_is_not_there_are_refused(void **state)
{
    struct trial t = trial(state);
    rill_exec *exec;
    rill_op from = copy_op(rill_device_place(word(&t, 1)), rill_device_place(t.words), 4), bad;
    poke(t.f, t.words, 5);
    bad = copy_op(rill_device_place(0), rill_device_place(t.words), 4);
    is(RILL_ERROR_INVALID_VALUE, change(&t, false, from, bad, &exec));
    bad = copy_op(rill_device_place(word(&t, 3)), rill_device_place(0), 4);
    is(RILL_ERROR_INVALID_VALUE, change(&t, false, from, bad, &exec));
    bad = from;
    bad.memcpy.src.kind = (rill_memory_kind)9;
    is(RILL_ERROR_INVALID_VALUE, change(&t, false, from, bad, &exec));
    bad = from;
    bad.memcpy.depth = 0;
    is(RILL_ERROR_INVALID_VALUE, change(&t, false, from, bad, &exec));
    goes(&t, exec, 5, 5, 0, 0);
    bad = from;
    bad.memcpy.dst.x = 8;
    bad.memcpy.dst.pitch = bad.memcpy.src.pitch = 32;
    ok(change(&t, false, from, bad, &exec));
    goes(&t, exec, 5, 5, 0, 5);
}

/* ---- Freed meanwhile -------------------------------------------------------------- */

/* A program that allocates its buffers anew for each step goes on. */
static void memory_that_is_gone_makes_way_for_other_memory(void **state)
{
    struct trial t = trial(state);
    rill_devptr gone = 0;
    ok(rill_mem_alloc(t.f->context, 4096, &gone));
    rill_graph *g = new_graph(t.f), *other = new_graph(t.f);
    add(g, add(g, NULL, fill_op(gone, 1, 1)), copy_op(rill_device_place(gone),
                                                      rill_device_place(t.words), 4));
    rill_exec *exec = new_exec(t.f, g);
    ok(rill_mem_free(t.f->context, gone));
    add(other, add(other, NULL, fill_op(t.words, 6, 1)),
        copy_op(rill_device_place(word(&t, 1)), rill_device_place(t.words), 4));
    updates(exec, other);
    goes(&t, exec, 6, 6);
}

/* ---- Memory of the graph ------------------------------------------------------------ */

static void a_copy_from_memory_of_the_graph_stays_with_that(void **state)
{
    struct trial t = trial(state);
    rill_graph *g = new_graph(t.f);
    rill_node alloc = add(g, NULL, alloc_op(64));
    rill_devptr own = op_of(g, alloc).alloc.address;
    rill_node filled = add(g, alloc, fill_op(own, 7, 1));
    rill_op from_own = copy_op(rill_device_place(t.words), rill_device_place(own), 4);
    rill_node copied = add(g, filled, from_own);
    add(g, copied, free_op(own));
    rill_exec *exec = new_exec(t.f, g);
    rill_op from_other = copy_op(rill_device_place(t.words), rill_device_place(word(&t, 1)), 4);
    rill_op fill_other = fill_op(word(&t, 1), 9, 1);
    is(RILL_ERROR_INVALID_VALUE, rill_exec_set_op(exec, copied, &from_other));
    goes(&t, exec, 7, 0);
    ok(rill_exec_set_op(exec, filled, &fill_other));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_fill_of_one_row_may_become_any_other),
    cmocka_unit_test(a_fill_of_several_rows_keeps_its_shape),
    cmocka_unit_test(a_copy_of_one_row_may_become_any_other),
    cmocka_unit_test(a_copy_stays_between_memory_of_its_kinds),
    cmocka_unit_test(a_copy_of_several_rows_stays_as_it_is),
    cmocka_unit_test(copies_of_what_is_not_there_are_refused),
    cmocka_unit_test(memory_that_is_gone_makes_way_for_other_memory),
    cmocka_unit_test(a_copy_from_memory_of_the_graph_stays_with_that),
};

SUITE_GROUP(exec_copies, 1);
