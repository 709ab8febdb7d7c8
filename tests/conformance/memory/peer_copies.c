/* SPDX-License-Identifier: Apache-2.0
 *
 * Copies and fills between two devices and in each other's streams.
 */
#include "conformance/work.h"

struct scene {
    struct fixture *fixture;
    rill_context *contexts[2];
    rill_stream *streams[2];   /* non-blocking */
    rill_devptr words[2];      /* 1024 on each device; word 0 is 100, 200 */
};

static void put_word(rill_context *context, rill_devptr address, uint32_t value)
{
    ok(rill_memcpy_htod(context, address, &value, 4));
    ok(rill_context_synchronize(context));
}

static uint32_t word_at(rill_context *context, rill_devptr address)
{
    uint32_t value = 0;
    ok(rill_memcpy_dtoh(context, &value, address, 4));
    return value;
}

static struct scene prepare(struct fixture *f)
{
    struct scene s = { .fixture = f, .contexts = { f->context, new_context(f, 1, 0) } };
    for (int i = 0; i < 2; i++) {
        s.streams[i] = new_stream_in(f, s.contexts[i], RILL_STREAM_NON_BLOCKING);
        s.words[i] = words_on(s.contexts[i], 1024);
        put_word(s.contexts[i], s.words[i], 100 * ((uint32_t)i + 1));
    }
    return s;
}

/* Memory of device 1's own pool. */
static rill_devptr pool_words(struct scene *s)
{
    rill_devptr p = 0;
    ok(rill_mem_alloc_async(s->streams[1], 4096, &p));
    ok(rill_memset_d32_async(s->streams[1], p, 5, 1024));
    ok(rill_stream_synchronize(s->streams[1]));
    return p;
}

/* ---- Copies ------------------------------------------------------------------------------ */

/* multi.copy_foreign_stream */
static void a_stream_copies_within_and_between_both_devices(void **state)
{
    struct scene s = prepare(*state);
    for (int i = 0; i < 2; i++) {
        rill_devptr to0 = s.words[0] + 32 * ((rill_devptr)i + 1);
        rill_devptr to1 = s.words[1] + 32 * ((rill_devptr)i + 1);
        uint32_t in = 41, out = 0;
        rill_stream *stream = s.streams[i];
        ok(rill_memcpy_dtod_async(stream, to1, s.words[0], 4));
        ok(rill_memcpy_dtod_async(stream, to0, s.words[1], 4));
        ok(rill_memcpy_async(stream, to1 + 4, s.words[0], 4));
        ok(rill_memcpy_dtod_async(stream, to0 + 8, s.words[0], 4));
        ok(rill_memcpy_dtod_async(stream, to1 + 8, s.words[1], 4));
        ok(rill_memcpy_htod_async(stream, to1 + 12, &in, 4));
        ok(rill_memcpy_dtoh_async(stream, &out, to1 + 12, 4));
        ok(rill_stream_synchronize(stream));
        assert_int_equal(word_at(s.contexts[1], to1), 100);
        assert_int_equal(word_at(s.contexts[0], to0), 200);
        assert_int_equal(word_at(s.contexts[1], to1 + 4), 100);
        assert_int_equal(word_at(s.contexts[0], to0 + 8), 100);
        assert_int_equal(word_at(s.contexts[1], to1 + 8), 200);
        assert_int_equal(out, 41);
    }
}

/* p2.copies: htod, dtoh, dtod, within */
static void synchronous_copies_reach_the_other_device_too(void **state)
{
    struct scene s = prepare(*state);
    uint32_t in = 7, out = 0;
    ok(rill_memcpy_htod(s.contexts[0], s.words[1] + 4, &in, 4));
    ok(rill_memcpy_dtoh(s.contexts[0], &out, s.words[1] + 4, 4));
    assert_int_equal(out, 7);
    ok(rill_memcpy_dtod(s.contexts[0], s.words[1] + 8, s.words[0], 4));
    ok(rill_memcpy_dtod(s.contexts[0], s.words[1] + 12, s.words[1], 4));
    ok(rill_context_synchronize(s.contexts[0]));
    assert_int_equal(word_at(s.contexts[1], s.words[1] + 8), 100);
    assert_int_equal(word_at(s.contexts[1], s.words[1] + 12), 200);
}

/* ST-13, p2.copies: peer_*; mem.copy_peer_same_device */
static void a_peer_copy_names_the_contexts(void **state)
{
    struct scene s = prepare(*state);
    rill_context *const *c = s.contexts;
    ok(rill_memcpy_peer(c[1], s.words[1] + 4, c[0], s.words[0], 4));
    ok(rill_memcpy_peer_async(s.streams[0], c[1], s.words[1] + 8, c[0], s.words[0], 4));
    ok(rill_memcpy_peer_async(s.streams[1], c[0], s.words[0] + 8, c[1], s.words[1], 4));
    ok(rill_memcpy_peer(c[0], s.words[0] + 12, c[0], s.words[0], 4)); /* within one device */
    for (int i = 0; i < 2; i++) ok(rill_context_synchronize(c[i]));
    assert_int_equal(word_at(c[1], s.words[1] + 4), 100);
    assert_int_equal(word_at(c[1], s.words[1] + 8), 100);
    assert_int_equal(word_at(c[0], s.words[0] + 8), 200);
    assert_int_equal(word_at(c[0], s.words[0] + 12), 100);
}

/* p2.copies: peer_over, peer_host; mem.copy_peer_same_device: zero, null_ptr */
static void a_peer_copy_has_bounds(void **state)
{
    struct scene s = prepare(*state);
    rill_context *const *c = s.contexts;
    static uint32_t host;
    is(RILL_ERROR_INVALID_VALUE, rill_memcpy_peer(c[1], s.words[1], c[0], s.words[0], 4097));
    is(RILL_ERROR_INVALID_VALUE, rill_memcpy_peer(c[1], s.words[1], c[0], at(&host), 4));
    is(RILL_ERROR_INVALID_VALUE, rill_memcpy_peer(c[1], 0, c[0], s.words[0], 4));
    is(RILL_ERROR_INVALID_VALUE,
       rill_memcpy_peer_async(s.streams[0], c[1], s.words[1] + 4, c[0], s.words[0], 4096));
    ok(rill_memcpy_peer(c[1], 0, c[0], 0, 0));
}

static void a_peer_copy_needs_both_contexts(void **state)
{
    struct scene s = prepare(*state);
    rill_context *const *c = s.contexts;
    refuses(RILL_ERROR_INVALID_CONTEXT, "dst_context",
            rill_memcpy_peer(NULL, s.words[1], c[0], s.words[0], 4));
    refuses(RILL_ERROR_INVALID_CONTEXT, "src_context",
            rill_memcpy_peer(c[1], s.words[1], NULL, s.words[0], 4));
    is(RILL_ERROR_INVALID_CONTEXT,
       rill_memcpy_peer_async(s.streams[0], c[1], s.words[1], NULL, s.words[0], 4));
}

/* p2.copies: box */
static void boxes_go_from_device_to_device(void **state)
{
    struct scene s = prepare(*state);
    rill_copy copy = { .dst = rill_device_place(s.words[1] + 64),
                       .src = rill_device_place(s.words[0]),
                       .width = 4, .height = 2, .depth = 1 };
    copy.src.pitch = 8;
    copy.dst.pitch = 16;
    put_word(s.contexts[0], s.words[0] + 8, 101);
    ok(rill_memcpy_box(s.contexts[0], &copy)); /* the addresses say it all */
    copy.src.context = s.contexts[0];
    copy.dst.context = s.contexts[1];
    copy.dst.address += 64;
    ok(rill_memcpy_box_async(s.streams[1], &copy));
    for (int i = 0; i < 2; i++) ok(rill_context_synchronize(s.contexts[i]));
    for (rill_devptr to = s.words[1] + 64; to <= s.words[1] + 128; to += 64) {
        assert_int_equal(word_at(s.contexts[1], to), 100);
        assert_int_equal(word_at(s.contexts[1], to + 16), 101);
    }
}

/* ---- Order ---------------------------------------------------------------------------------- */

/* A blocking stream of one device stands still before it writes the word that a
 * copy from device 0 to device 1 reads (7 over 3) or overwrites (9).  What is
 * there in the end? */
static uint32_t copy_behind(struct scene *s, int device, bool plain)
{
    rill_context *const *c = s->contexts;
    rill_stream *before = new_stream_in(s->fixture, c[device], 0);
    rill_kernel *k = new_kernel(s->fixture, c[device], &put_function);
    put_word(c[0], s->words[0], 3);
    put_word(c[1], s->words[1], 4);
    struct gate *g = gate(s->fixture, before);
    ok(put(k, before, s->words[device], device ? 9 : 7));
    if (plain) ok(rill_memcpy_dtod(c[0], s->words[1], s->words[0], 4));
    else ok(rill_memcpy_peer(c[1], s->words[1], c[0], s->words[0], 4));
    held(before); /* and the copy has not waited for it */
    open_gate(g);
    for (int i = 0; i < 2; i++) ok(rill_context_synchronize(c[i]));
    return word_at(c[1], s->words[1]);
}

/* multi.copy_peer_order */
static void a_copy_between_devices_comes_after_the_blocking_streams_of_both(void **state)
{
    struct scene s = prepare(*state);
    for (int plain = 0; plain < 2; plain++) {
        assert_int_equal(copy_behind(&s, 0, plain), 7);
        assert_int_equal(copy_behind(&s, 1, plain), 3);
    }
}

/* multi.copy_peer_order */
static void it_does_not_wait_for_non_blocking_streams(void **state)
{
    struct fixture *f = *state;
    struct scene s = prepare(f);
    for (int device = 0; device < 2; device++) {
        struct gate *g = gate(f, s.streams[device]);
        const uint32_t value = 30 + (uint32_t)device;
        ok(rill_memcpy_htod(s.contexts[0], s.words[0], &value, 4));
        ok(rill_memcpy_peer(s.contexts[1], s.words[1], s.contexts[0], s.words[0], 4));
        ok(rill_stream_synchronize(rill_stream_legacy(s.contexts[0])));
        ok(rill_stream_synchronize(rill_stream_legacy(s.contexts[1])));
        assert_int_equal(word_at(s.contexts[1], s.words[1]), 30 + device);
        held(s.streams[device]);
        open_gate(g);
        ok(rill_stream_synchronize(s.streams[device]));
    }
}

/* ---- Fills and values ------------------------------------------------------------------------ */

/* multi.memset_foreign_stream, p2.fill */
static void a_fill_stays_on_its_own_device(void **state)
{
    struct scene s = prepare(*state);
    for (int i = 0; i < 2; i++) {
        rill_devptr other = s.words[!i];
        is(RILL_ERROR_INVALID_VALUE, rill_memset_d32(s.contexts[i], other, 1, 1));
        is(RILL_ERROR_INVALID_VALUE, rill_memset_d32_async(s.streams[i], other, 1, 1));
        is(RILL_ERROR_INVALID_VALUE,
           rill_memset_d32_async(rill_stream_legacy(s.contexts[i]), other, 1, 1));
        ok(rill_memset_d32_async(s.streams[i], other, 1, 0));
        ok(rill_memset_d32_async(s.streams[i], s.words[i], 1, 1));
    }
}

/* q2.pools: write_other */
static void a_value_is_written_on_its_own_device(void **state)
{
    struct scene s = prepare(*state);
    is(RILL_ERROR_INVALID_VALUE, rill_stream_write_value32(s.streams[0], s.words[1], 1, 0));
    ok(rill_stream_write_value32(s.streams[1], s.words[1], 1, 0));
}

/* p2.fill: heap_peer, heap_off; q2.pools: write_peer; multi.peer_kernel */
static void peer_access_opens_ordinary_memory_to_fills_values_and_kernels(void **state)
{
    struct scene s = prepare(*state);
    rill_kernel *k = new_kernel(*state, s.contexts[0], &put_function);
    ok(rill_context_enable_peer(s.contexts[0], s.contexts[1]));
    ok(rill_memset_d32(s.contexts[0], s.words[1] + 4, 90, 1));
    ok(rill_memset_d32_async(s.streams[0], s.words[1] + 8, 91, 1));
    ok(rill_stream_write_value32(s.streams[0], s.words[1] + 12, 92, 0));
    ok(put(k, s.streams[0], s.words[1] + 16, 93));
    ok(rill_context_synchronize(s.contexts[0]));
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(word_at(s.contexts[1], s.words[1] + 4 + 4 * i), 90 + i);
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d32(s.contexts[1], s.words[0], 1, 1)); /* one way */
    ok(rill_context_disable_peer(s.contexts[0], s.contexts[1]));
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d32_async(s.streams[0], s.words[1], 1, 1));
}

/* ---- Memory of pools ----------------------------------------------------------------------- */

/* p2.copies: pool; p2.fill: pool_*; q2.pools */
static void memory_of_a_pool_is_open_to_whom_the_pool_gives_access(void **state)
{
    struct fixture *f = *state;
    struct scene s = prepare(f);
    rill_pool *pool = NULL;
    rill_devptr p = pool_words(&s);
    uint32_t word = 0;
    ok(rill_device_default_pool(f->platform, 1, &pool));
    for (int given = 0; given < 2; given++) {
        rill_status answer = given ? RILL_SUCCESS : RILL_ERROR_INVALID_VALUE;
        is(answer, rill_memcpy_dtod(s.contexts[0], s.words[0] + 4, p, 4));
        is(answer, rill_memcpy_dtod_async(s.streams[0], s.words[0] + 8, p, 4));
        is(answer, rill_memcpy_dtoh(s.contexts[0], &word, p, 4));
        is(answer, rill_memset_d32_async(s.streams[0], p + 64, 1, 1));
        ok(rill_memcpy_dtod(s.contexts[0], s.words[0], p, 0));
        ok(rill_pool_set_access(pool, 0, RILL_ACCESS_READ_WRITE));
    }
    ok(rill_stream_synchronize(s.streams[0])); /* what is pending needs the access */
    ok(rill_pool_set_access(pool, 0, RILL_ACCESS_NONE));
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d32_async(s.streams[0], p, 1, 1));
    ok(rill_context_synchronize(s.contexts[0]));
    ok(rill_mem_free_async(s.streams[1], p));
    ok(rill_stream_synchronize(s.streams[1]));
}

/* q2.pools: peer, peer_a_s0: who names the context needs no access. */
static void a_peer_copy_reaches_memory_of_a_pool(void **state)
{
    struct scene s = prepare(*state);
    rill_devptr p = pool_words(&s);
    ok(rill_memcpy_peer(s.contexts[0], s.words[0] + 4, s.contexts[1], p, 4));
    ok(rill_memcpy_peer_async(s.streams[0], s.contexts[0], s.words[0] + 8, s.contexts[1], p, 4));
    ok(rill_context_synchronize(s.contexts[0]));
    assert_int_equal(word_at(s.contexts[0], s.words[0] + 4), 5);
    assert_int_equal(word_at(s.contexts[0], s.words[0] + 8), 5);
    ok(rill_mem_free_async(s.streams[1], p));
    ok(rill_stream_synchronize(s.streams[1]));
}

/* p2.fill: pool_peer; q2.pools: copy_pool_peer */
static void peer_access_does_not_open_memory_of_pools(void **state)
{
    struct scene s = prepare(*state);
    rill_devptr p = pool_words(&s);
    ok(rill_context_enable_peer(s.contexts[0], s.contexts[1]));
    is(RILL_ERROR_INVALID_VALUE, rill_memset_d32_async(s.streams[0], p, 1, 1));
    is(RILL_ERROR_INVALID_VALUE, rill_memcpy_dtod(s.contexts[0], s.words[0], p, 4));
    ok(rill_mem_free_async(s.streams[1], p));
    ok(rill_stream_synchronize(s.streams[1]));
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_stream_copies_within_and_between_both_devices),
    cmocka_unit_test(synchronous_copies_reach_the_other_device_too),
    cmocka_unit_test(a_peer_copy_names_the_contexts),
    cmocka_unit_test(a_peer_copy_has_bounds),
    cmocka_unit_test(a_peer_copy_needs_both_contexts),
    cmocka_unit_test(boxes_go_from_device_to_device),
    cmocka_unit_test(a_copy_between_devices_comes_after_the_blocking_streams_of_both),
    cmocka_unit_test(it_does_not_wait_for_non_blocking_streams),
    cmocka_unit_test(a_fill_stays_on_its_own_device),
    cmocka_unit_test(a_value_is_written_on_its_own_device),
    cmocka_unit_test(peer_access_opens_ordinary_memory_to_fills_values_and_kernels),
    cmocka_unit_test(memory_of_a_pool_is_open_to_whom_the_pool_gives_access),
    cmocka_unit_test(a_peer_copy_reaches_memory_of_a_pool),
    cmocka_unit_test(peer_access_does_not_open_memory_of_pools),
};

SUITE_GROUP(peer_copies, 2);
