/* SPDX-License-Identifier: Apache-2.0
 *
 * Pools while a stream captures: what concerns one is unsafe, as an allocation is.
 */
#include "conformance/captures/capturing.h"

struct pools {
    struct fixture *f;
    rill_pool *pool, *before; /* `before` is the device's */
    rill_devptr address;
};

static rill_status create(struct pools *p)
{
    rill_pool *made = NULL;
    rill_status status = rill_pool_create(p->f->platform, NULL, &made);
    rill_pool_destroy(&made);
    return status;
}

static rill_status destroy(struct pools *p)
{
    return rill_pool_destroy(&p->pool);
}

static rill_status trim(struct pools *p)
{
    return rill_pool_trim(p->pool, 0);
}

static rill_status get(struct pools *p)
{
    uint64_t value;
    return rill_pool_get_attribute(p->pool, RILL_POOL_USED_CURRENT, &value);
}

static rill_status set(struct pools *p)
{
    return rill_pool_set_attribute(p->pool, RILL_POOL_RELEASE_THRESHOLD, 0);
}

static rill_status set_access(struct pools *p)
{
    return rill_pool_set_access(p->pool, 0, RILL_ACCESS_READ_WRITE);
}

static rill_status set_current(struct pools *p)
{
    return rill_device_set_pool(p->f->platform, 0, p->pool);
}

static rill_status set_sync_memops(struct pools *p)
{
    return rill_pointer_set_sync_memops(p->f->context, p->address, 1);
}

static rill_status default_pool(struct pools *p)
{
    rill_pool *pool;
    return rill_device_default_pool(p->f->platform, 0, &pool);
}

static rill_status range(struct pools *p)
{
    rill_devptr base;
    size_t bytes;
    return rill_mem_range(p->f->context, p->address, &base, &bytes);
}

static rill_status pointer_info(struct pools *p)
{
    rill_pointer_info info = { .size = sizeof info };
    return rill_pointer_get_info(p->f->context, p->address, &info);
}

typedef rill_status act(struct pools *p);

static act *const unsafe[] = { create,     destroy,     trim,           get, set,
                               set_access, set_current, set_sync_memops };
static act *const harmless[] = { default_pool, range, pointer_info };

#define COUNT(list) (sizeof(list) / sizeof *(list))

static struct pools make_pools(struct fixture *f)
{
    struct pools p = { .f = f, .address = device_words(f, 16) };
    ok(rill_pool_create(f->platform, NULL, &p.pool));
    ok(rill_device_pool(f->platform, 0, &p.before));
    return p;
}

static void end_pools(struct pools *p)
{
    ok(rill_device_set_pool(p->f->platform, 0, p->before));
    ok(rill_pool_destroy(&p->pool));
}

static void a_strict_capture_is_broken_by_all_that_concerns_a_pool(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    for (size_t i = 0; i < COUNT(unsafe); i++) {
        struct pools p = make_pools(f);
        ok(begin(s, RILL_CAPTURE_GLOBAL));
        is(RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED, unsafe[i](&p));
        broken(s);
        fails(RILL_ERROR_STREAM_CAPTURE_INVALIDATED, s);
        assert_non_null(p.pool);
        ok(unsafe[i](&p));
        end_pools(&p);
    }
}

static void but_not_by_asking_where_memory_is(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    struct pools p = make_pools(f);
    ok(begin(s, RILL_CAPTURE_GLOBAL));
    for (size_t i = 0; i < COUNT(harmless); i++) ok(harmless[i](&p));
    gives(s, "");
    end_pools(&p);
}

static void a_relaxed_capture_or_thread_minds_none_of_it(void **state)
{
    struct fixture *f = *state;
    rill_stream *s = new_non_blocking(f);
    for (size_t i = 0; i < COUNT(unsafe); i++) {
        struct pools p = make_pools(f);
        ok(begin(s, RILL_CAPTURE_RELAXED));
        ok(unsafe[i](&p));
        gives(s, "");
        end_pools(&p);
        p = make_pools(f);
        ok(begin(s, RILL_CAPTURE_GLOBAL));
        rill_capture_guard guard = rill_capture_relax(f->platform);
        ok(unsafe[i](&p));
        ok(rill_capture_restore(&guard));
        gives(s, "");
        end_pools(&p);
    }
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(a_strict_capture_is_broken_by_all_that_concerns_a_pool),
    cmocka_unit_test(but_not_by_asking_where_memory_is),
    cmocka_unit_test(a_relaxed_capture_or_thread_minds_none_of_it),
};

SUITE_GROUP(capture_pools, 1);
