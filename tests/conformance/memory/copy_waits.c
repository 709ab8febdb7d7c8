/* SPDX-License-Identifier: Apache-2.0
 *
 * When a copy or fill reads its source, and which calls hold the caller up.
 */
#include <string.h>

#include "conformance/work.h"

#define BIG ((size_t)1 << 20)

/* What the calls below work on.  Each is made while a stream is held. */
struct scene {
    struct fixture *fixture;
    rill_stream *stream; /* held */
    rill_devptr device;  /* two times BIG */
    char *pinned;        /* BIG */
    char *pageable, *other;
};

static char pageable_memory[BIG], other_memory[BIG];

static struct scene prepare(struct fixture *f, rill_stream *stream)
{
    struct scene scene = { f, stream, 0, pinned(f, BIG), pageable_memory, other_memory };
    ok(rill_mem_alloc(f->context, 2 * BIG, &scene.device));
    return scene;
}

typedef rill_status (*make)(void *scene);

#define CALL(name, call)                                \
    static rill_status name(void *data)                 \
    {                                                   \
        struct scene *c = data;                         \
        rill_context *context = c->fixture->context;    \
        (void)context;                                  \
        return call;                                    \
    }

/* Each returns though the stream is held. */
static void at_once(struct scene *scene, const make *calls, size_t count)
{
    struct gate *g = gate(scene->fixture, scene->stream);
    for (size_t i = 0; i < count; i++) ok(calls[i](scene));
    held(scene->stream);
    open_gate(g);
    ok(rill_context_synchronize(scene->fixture->context));
}

/* Each returns only when the stream is let go. */
static void waits(struct scene *scene, const make *calls, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct gate *g = gate(scene->fixture, scene->stream);
        struct call *call = start_call(scene->fixture, calls[i], scene);
        blocked(call);
        open_gate(g);
        ok(finish_call(call));
        ok(rill_context_synchronize(scene->fixture->context));
    }
}

#define AT_ONCE(scene, calls) at_once(scene, calls, sizeof calls / sizeof *calls)
#define WAITS(scene, calls) waits(scene, calls, sizeof calls / sizeof *calls)

/* ---- In a stream -------------------------------------------------------------------- */

CALL(htod_pinned, rill_memcpy_htod_async(c->stream, c->device, c->pinned, 4))
CALL(htod_pinned_big, rill_memcpy_htod_async(c->stream, c->device, c->pinned, BIG))
CALL(dtoh_pinned, rill_memcpy_dtoh_async(c->stream, c->pinned, c->device, 4))
CALL(dtoh_pinned_big, rill_memcpy_dtoh_async(c->stream, c->pinned, c->device, BIG))
CALL(htod_pageable, rill_memcpy_htod_async(c->stream, c->device, c->pageable, 4))
CALL(htod_pageable_big, rill_memcpy_htod_async(c->stream, c->device, c->pageable, BIG))
CALL(dtod_async, rill_memcpy_dtod_async(c->stream, c->device + BIG, c->device, BIG))
CALL(fill_async, rill_memset_d8_async(c->stream, c->device, 1, BIG))
CALL(fill_pinned_async, rill_memset_d8_async(c->stream, at(c->pinned), 1, 4))
CALL(nothing_to_host, rill_memcpy_dtoh_async(c->stream, c->pageable, c->device, 0))
CALL(device_as_source, rill_memcpy_htod_async(c->stream, c->device,
                                              (void *)(uintptr_t)(c->device + 64), 4))
CALL(device_as_target, rill_memcpy_dtoh_async(c->stream, (void *)(uintptr_t)(c->device + 64),
                                              c->device, 4))

/* CY-3, CY-4, mem.async_copy_blocks, p.box_waits */
static void these_calls_on_a_held_stream_return_at_once(void **state)
{
    static const make calls[] = {
        htod_pinned, htod_pinned_big, dtoh_pinned, dtoh_pinned_big, htod_pageable,
        htod_pageable_big, dtod_async, fill_async, fill_pinned_async, nothing_to_host,
        device_as_source, device_as_target,
    };
    struct scene scene = prepare(*state, new_non_blocking(*state));
    AT_ONCE(&scene, calls);
}

CALL(dtoh_pageable, rill_memcpy_dtoh_async(c->stream, c->pageable, c->device, 4))
CALL(dtoh_pageable_big, rill_memcpy_dtoh_async(c->stream, c->pageable, c->device, BIG))
CALL(unified_host, rill_memcpy_async(c->stream, at(c->other), at(c->pageable), 64))
CALL(pinned_to_host, rill_memcpy_async(c->stream, at(c->other), at(c->pinned), 64))
CALL(host_to_pinned, rill_memcpy_async(c->stream, at(c->pinned), at(c->pageable), 64))
CALL(pinned_to_pinned, rill_memcpy_async(c->stream, at(c->pinned), at(c->pinned) + 100, 64))

/* CY-3, mem.async_copy_blocks, p.box_waits */
static void copies_to_pageable_memory_and_within_host_memory_wait(void **state)
{
    static const make calls[] = {
        dtoh_pageable, dtoh_pageable_big, unified_host, pinned_to_host, host_to_pinned,
        pinned_to_pinned,
    };
    struct scene scene = prepare(*state, new_non_blocking(*state));
    WAITS(&scene, calls);
}

/* CY-3, mem.source_read_when */
static void a_pageable_source_is_read_at_the_call_a_pinned_one_when_the_copy_runs(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_devptr p = device_words(f, 2);
    uint32_t *pin = pinned(f, 4), pageable = 1;
    *pin = 1;
    struct gate *g = gate(f, s);
    ok(rill_memcpy_htod_async(s, p, pin, 4));
    ok(rill_memcpy_htod_async(s, p + 4, &pageable, 4));
    *pin = 2;
    pageable = 2;
    held(s);
    open_gate(g);
    ok(rill_stream_synchronize(s));
    assert_int_equal(peek(f, p), 2);
    assert_int_equal(peek(f, p + 4), 1);
}

/* CY-3 */
static void a_large_pageable_source_is_read_at_the_call(void **state)
{
    struct fixture *f = *state;
    struct scene scene = prepare(f, new_non_blocking(f));
    memset(scene.pageable, 1, BIG);
    struct gate *g = gate(f, scene.stream);
    ok(htod_pageable_big(&scene));
    memset(scene.pageable, 2, BIG);
    open_gate(g);
    ok(rill_stream_synchronize(scene.stream));
    ok(rill_memcpy_dtoh(f->context, scene.other, scene.device, BIG));
    for (size_t i = 0; i < BIG; i++) assert_int_equal(scene.other[i], 1);
}

/* CY-3 */
static void a_copy_to_pageable_memory_is_done_when_it_returns(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    rill_kernel *k = kernel(f, &put_function);
    rill_devptr p = device_words(f, 1);
    for (uint32_t i = 1; i <= 100; i++) {
        uint32_t value = 0;
        ok(put(k, s, p, i));
        ok(rill_memcpy_dtoh_async(s, &value, p, 4));
        assert_int_equal(value, i);
    }
}

/* ---- Synchronous -------------------------------------------------------------------- */

CALL(htod, rill_memcpy_htod(context, c->device, c->pageable, 16))
CALL(htod_64k, rill_memcpy_htod(context, c->device, c->pageable, 65536))
CALL(htod_from_pinned, rill_memcpy_htod(context, c->device, c->pinned, 16))
CALL(dtoh, rill_memcpy_dtoh(context, c->pageable, c->device, 16))
CALL(dtoh_to_pinned, rill_memcpy_dtoh(context, c->pinned, c->device, 16))
CALL(fill_pinned, rill_memset_d8(context, at(c->pinned), 0, 16))
CALL(host_to_host, rill_memcpy(context, at(c->other), at(c->pageable), 16))
CALL(pinned_pinned, rill_memcpy(context, at(c->pinned), at(c->pinned) + 64, 16))
CALL(pinned_as_target, rill_memcpy_dtod(context, at(c->pinned), c->device, 16))
CALL(pinned_as_source, rill_memcpy_dtod(context, c->device, at(c->pinned), 16))
CALL(unified_htod, rill_memcpy(context, c->device, at(c->pageable), 16))
CALL(unified_dtoh, rill_memcpy(context, at(c->pageable), c->device, 16))

/* CY-1, CY-2, CY-4, DS-1, p.sync_waits, probe.sync_vs_blocking */
static void synchronous_calls_that_touch_host_memory_wait_for_blocking_streams(void **state)
{
    static const make calls[] = {
        htod, htod_64k, htod_from_pinned, dtoh, dtoh_to_pinned, fill_pinned, host_to_host,
        pinned_pinned, pinned_as_target, pinned_as_source, unified_htod, unified_dtoh,
    };
    struct scene scene = prepare(*state, new_stream(*state));
    WAITS(&scene, calls);
}

CALL(dtod, rill_memcpy_dtod(context, c->device, c->device + 64, 16))
CALL(fill, rill_memset_d8(context, c->device, 0, 16))
CALL(no_bytes, rill_memcpy_dtoh(context, c->pageable, c->device, 0))
CALL(no_bytes_to_device, rill_memcpy_htod(context, c->device, c->pageable, 0))
CALL(peer, rill_memcpy_peer(context, c->device, context, c->device + 64, 16))

/* CY-2, CY-4, CY-5, p.sync_waits */
static void copies_and_fills_within_device_memory_go_on_behind_the_caller(void **state)
{
    static const make calls[] = { dtod, fill, no_bytes, no_bytes_to_device, peer };
    struct scene scene = prepare(*state, new_stream(*state));
    AT_ONCE(&scene, calls);
}

/* DS-3, mem.sync_calls_vs_nonblocking, p.box_waits: setpin_sync */
static void synchronous_calls_do_not_wait_for_non_blocking_streams(void **state)
{
    static const make calls[] = { htod, dtoh, dtod, fill, fill_pinned, host_to_host };
    struct scene scene = prepare(*state, new_non_blocking(*state));
    AT_ONCE(&scene, calls);
}

/* DS-1, DS-2 */
static void a_synchronous_copy_has_its_place_between_blocking_streams(void **state)
{
    struct fixture *f = *state;
    rill_stream *before = new_stream(f), *after = new_stream(f);
    rill_kernel *k = kernel(f, &put_function);
    rill_devptr p = device_words(f, 3);
    struct gate *g = gate(f, before);
    ok(put(k, before, p, 7));
    ok(rill_memcpy_dtod(f->context, p + 4, p, 4));
    ok(rill_memcpy_dtod_async(after, p + 8, p + 4, 4));
    held(f->legacy);
    held(after);
    open_gate(g);
    ok(rill_context_synchronize(f->context));
    assert_int_equal(peek(f, p + 4), 7);
    assert_int_equal(peek(f, p + 8), 7);
}

/* ---- Synchronous on demand ------------------------------------------------------------- */

CALL(dtod_into, rill_memcpy_dtod(context, c->device, c->device + 64, 4))
CALL(dtod_async_into, rill_memcpy_dtod_async(c->stream, c->device, c->device + 64, 4))
CALL(fill_async_into, rill_memset_d8_async(c->stream, c->device, 1, 4))

/* q.memops_sync */
static void on_demand_synchronous_calls_within_device_memory_wait_too(void **state)
{
    struct fixture *f = *state;
    static const make calls[] = { dtod_into, fill };
    struct scene scene = prepare(f, new_stream(f));
    ok(rill_pointer_set_sync_memops(f->context, scene.device, 1));
    WAITS(&scene, calls);
    ok(rill_pointer_set_sync_memops(f->context, scene.device, 0));
    AT_ONCE(&scene, calls);
}

CALL(dtod_out_of, rill_memcpy_dtod(context, at(c->other), c->device, 4))

/* q.memops_sync: dtod_src, plain */
static void the_demand_counts_for_a_source_and_not_for_other_allocations(void **state)
{
    struct fixture *f = *state;
    static const make calls[] = { dtod_out_of };
    struct scene scene = prepare(f, new_stream(f));
    rill_devptr demanding = scene.device, plain = device_words(f, 1), target = device_words(f, 1);
    ok(rill_pointer_set_sync_memops(f->context, demanding, 1));
    scene.other = (char *)(uintptr_t)target;
    WAITS(&scene, calls);
    scene.device = plain;
    AT_ONCE(&scene, calls);
}

/* p.syncmemops: memset_async, dtod_async, htod_pinned; q.memops_sync: set_null */
static void calls_in_a_stream_do_not_wait_all_the_same(void **state)
{
    struct fixture *f = *state;
    static const make calls[] = { dtod_async_into, fill_async_into, htod_pinned };
    struct scene scene = prepare(f, new_non_blocking(f));
    ok(rill_pointer_set_sync_memops(f->context, scene.device, 1));
    AT_ONCE(&scene, calls);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(these_calls_on_a_held_stream_return_at_once),
    cmocka_unit_test(copies_to_pageable_memory_and_within_host_memory_wait),
    cmocka_unit_test(a_pageable_source_is_read_at_the_call_a_pinned_one_when_the_copy_runs),
    cmocka_unit_test(a_large_pageable_source_is_read_at_the_call),
    cmocka_unit_test(a_copy_to_pageable_memory_is_done_when_it_returns),
    cmocka_unit_test(synchronous_calls_that_touch_host_memory_wait_for_blocking_streams),
    cmocka_unit_test(copies_and_fills_within_device_memory_go_on_behind_the_caller),
    cmocka_unit_test(synchronous_calls_do_not_wait_for_non_blocking_streams),
    cmocka_unit_test(a_synchronous_copy_has_its_place_between_blocking_streams),
    cmocka_unit_test(on_demand_synchronous_calls_within_device_memory_wait_too),
    cmocka_unit_test(the_demand_counts_for_a_source_and_not_for_other_allocations),
    cmocka_unit_test(calls_in_a_stream_do_not_wait_all_the_same),
};

SUITE_GROUP(copy_waits, 1);
