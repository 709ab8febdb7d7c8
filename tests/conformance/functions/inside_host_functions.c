/* SPDX-License-Identifier: Apache-2.0
 *
 * Calls made from inside a host function.  What was measured: calls that need
 * nothing but an ordinary stream or event are answered as anywhere else; what
 * needs the context, and launches, copies and allocations, are not permitted.
 */
#include "conformance/work.h"

struct scene {
    struct fixture *fixture;
    rill_stream *own, *other;  /* the host function runs in `own` */
    rill_event *recorded;      /* and complete                    */
    rill_kernel *nop;
    rill_module *module;
    rill_devptr memory;
    void *host;
    rill_pool *mine;
};

typedef rill_status (*attempt)(struct scene *scene);

static void prepare(struct scene *scene, struct fixture *f)
{
    const rill_image nops = image_of(&nop_function, 1);
    *scene = (struct scene){ .fixture = f, .own = new_non_blocking(f),
                             .other = new_non_blocking(f), .recorded = new_event(f) };
    ok(rill_module_load(f->context, &nops, &scene->module));
    ok(rill_module_kernel(scene->module, "nop", &scene->nop));
    ok(rill_mem_alloc(f->context, 64, &scene->memory));
    ok(rill_host_alloc(f->context, 64, 0, &scene->host));
    scene->mine = new_pool(f, 0);
    ok(rill_event_record(scene->recorded, scene->other, 0));
    ok(rill_context_synchronize(f->context));
}

/* One try, made in a host function. */
struct try {
    attempt attempt;
    struct scene *scene;
    rill_status status;
};

static void make_try(void *data)
{
    struct try *try = data;
    try->status = try->attempt(try->scene);
}

static void make_try_in_callback(rill_stream *stream, rill_status status, void *data)
{
    (void)stream, (void)status;
    make_try(data);
}

struct question {
    const char *name;
    attempt attempt;
};

#define ASK(name) { #name, try_##name }

/* Each is tried in a host function, and in a callback. */
static void all_answer(struct fixture *f, const struct question *questions, size_t count,
                       rill_status expected)
{
    struct scene scene;
    prepare(&scene, f);
    for (size_t i = 0; i < 2 * count; i++) {
        const struct question *question = &questions[i / 2];
        struct try try = { question->attempt, &scene, RILL_ERROR_UNKNOWN };
        if (i % 2) ok(rill_stream_add_callback(scene.own, make_try_in_callback, &try, 0));
        else ok(rill_launch_host(scene.own, make_try, &try, NULL));
        ok(rill_stream_synchronize(scene.own));
        if (try.status == expected) continue;
        fail_msg("%s inside a %s answers %d, not %d", question->name,
                 i % 2 ? "callback" : "host function", (int)try.status, (int)expected);
    }
    ok(rill_module_unload(&scene.module));
    ok(rill_pool_destroy(&scene.mine));
}

/* ---- What needs the context ----------------------------------------------------- */

#define TRY(name, call)                                   \
    static rill_status try_##name(struct scene *scene)    \
    {                                                     \
        struct fixture *f = scene->fixture;               \
        (void)f;                                          \
        return call;                                      \
    }

static rill_stream *no_stream;
static rill_event *no_event;
static rill_context *no_context;
static rill_module *no_module;
static rill_kernel *no_kernel;
static rill_pool *no_pool;
static uint64_t no_id;
static rill_devptr no_memory;
static void *no_host;
static size_t no_size;
static int no_number;
static const rill_context_options own = { .size = sizeof own, .flags = RILL_CONTEXT_OWN };
static const rill_pool_options pool_here = { .size = sizeof pool_here };

static rill_status load_again(struct fixture *f)
{
    const rill_image nops = image_of(&nop_function, 1);
    return rill_module_load(f->context, &nops, &no_module);
}

TRY(stream_create, rill_stream_create(f->context, NULL, &no_stream))
TRY(event_create, rill_event_create(f->context, NULL, &no_event))
TRY(context_create, rill_context_create(f->platform, &own, &no_context))
TRY(module_load, load_again(f))
TRY(module_kernel, rill_module_kernel(scene->module, "nop", &no_kernel))
TRY(mem_alloc, rill_mem_alloc(f->context, 64, &no_memory))
TRY(mem_free, rill_mem_free(f->context, scene->memory))
TRY(host_alloc, rill_host_alloc(f->context, 64, 0, &no_host))
TRY(host_free, rill_host_free(f->context, scene->host))
TRY(host_free_null, rill_host_free(f->context, NULL))
TRY(pool_create, rill_pool_create(f->platform, &pool_here, &no_pool))
TRY(pool_destroy, rill_pool_destroy(&scene->mine))
TRY(pool_trim, rill_pool_trim(scene->mine, 0))
TRY(pool_get, rill_pool_get_attribute(scene->mine, RILL_POOL_USED_CURRENT, &no_id))
TRY(pool_default, rill_device_default_pool(f->platform, 0, &no_pool))

/* HF-2, hostfn.calls_that_create, hostfn.calls_in_callback */
static void nothing_can_be_made_or_freed(void **state)
{
    static const struct question all[] = {
        ASK(stream_create), ASK(event_create), ASK(context_create), ASK(module_load),
        ASK(module_kernel), ASK(mem_alloc),    ASK(mem_free),       ASK(host_alloc),
        ASK(host_free),     ASK(host_free_null), ASK(pool_create),   ASK(pool_destroy),
    };
    all_answer(*state, all, sizeof all / sizeof *all, RILL_ERROR_NOT_PERMITTED);
}

/* Nor can they be looked at. */
static void pools_are_out_of_reach(void **state)
{
    static const struct question all[] = { ASK(pool_trim), ASK(pool_get), ASK(pool_default) };
    all_answer(*state, all, sizeof all / sizeof *all, RILL_ERROR_NOT_PERMITTED);
}

static rill_pointer_info no_info = { .size = sizeof no_info };

TRY(device_count, rill_device_count(f->platform, &no_number))
TRY(pointer_info, rill_pointer_get_info(f->context, scene->memory, &no_info))
TRY(mem_info, rill_mem_info(f->context, &no_size, NULL))
TRY(mem_range, rill_mem_range(f->context, scene->memory, &no_memory, NULL))
TRY(priority_range, rill_context_priority_range(f->context, &no_number, NULL))
TRY(kernel_attribute, rill_kernel_get_attribute(scene->nop, RILL_KERNEL_REGISTERS, &no_number))
TRY(query_legacy, rill_stream_query(f->legacy))
TRY(query_per_thread, rill_stream_query(f->per_thread))

/* hostfn.calls_in_callback: devices, memory, kernels, default streams */
static void what_needs_the_context_cannot_be_asked(void **state)
{
    static const struct question all[] = {
        ASK(device_count),   ASK(pointer_info),     ASK(mem_info),     ASK(mem_range),
        ASK(priority_range), ASK(kernel_attribute), ASK(query_legacy), ASK(query_per_thread),
    };
    all_answer(*state, all, sizeof all / sizeof *all, RILL_ERROR_NOT_PERMITTED);
}

TRY(launch_other, launch(scene->nop, scene->other, NULL))
TRY(launch_own, launch(scene->nop, scene->own, NULL))
TRY(launch_legacy, launch(scene->nop, f->legacy, NULL))
TRY(copy_async, rill_memcpy_dtod_async(scene->other, scene->memory + 4, scene->memory, 4))
TRY(copy, rill_memcpy_dtoh(f->context, &no_number, scene->memory, 4))
TRY(fill, rill_memset_d8(f->context, scene->memory, 1, 4))
TRY(fill_legacy, rill_memset_d8_async(f->legacy, scene->memory, 1, 4))
TRY(host_legacy, rill_launch_host(f->legacy, count_up, &f->mark_count, NULL))
TRY(alloc_async, rill_mem_alloc_async(scene->other, 64, &no_memory))
TRY(free_async, rill_mem_free_async(scene->other, scene->memory))
TRY(synchronize_legacy, rill_stream_synchronize(f->legacy))
TRY(synchronize_context, rill_context_synchronize(f->context))

/* HF-2, hostfn.calls_in_callback */
static void nothing_can_be_launched_copied_or_allocated(void **state)
{
    static const struct question all[] = {
        ASK(launch_other), ASK(launch_own),  ASK(launch_legacy), ASK(copy_async),
        ASK(copy),         ASK(fill),        ASK(fill_legacy),   ASK(host_legacy),
        ASK(alloc_async),  ASK(free_async),  ASK(synchronize_legacy),
        ASK(synchronize_context),
    };
    all_answer(*state, all, sizeof all / sizeof *all, RILL_ERROR_NOT_PERMITTED);
}

/* ---- What needs an ordinary stream or event --------------------------------------- */

static uint32_t no_flags;
static rill_attribute domain = { .id = RILL_ATTRIBUTE_MEM_SYNC_DOMAIN };

TRY(query_event, rill_event_query(scene->recorded))
TRY(query_other, rill_stream_query(scene->other))
TRY(stream_flags, rill_stream_flags(scene->own, &no_flags))
TRY(stream_id, rill_stream_id(scene->own, &no_id))
TRY(stream_priority, rill_stream_priority(scene->own, &no_number))
TRY(stream_context, rill_stream_context(scene->own, &no_context))
TRY(get_attribute, rill_stream_get_attribute(scene->own, &domain))
TRY(copy_attributes, rill_stream_copy_attributes(scene->own, scene->other))

/* hostfn.calls_in_callback */
static void streams_and_events_can_be_asked(void **state)
{
    static const struct question all[] = {
        ASK(query_event),    ASK(query_other),    ASK(stream_flags), ASK(stream_id),
        ASK(stream_priority), ASK(stream_context), ASK(get_attribute), ASK(copy_attributes),
    };
    all_answer(*state, all, sizeof all / sizeof *all, RILL_SUCCESS);
}

TRY(query_own, rill_stream_query(scene->own))

/* HF-4, hostfn.calls_in_callback */
static void its_own_stream_is_not_ready(void **state)
{
    static const struct question all[] = { ASK(query_own) };
    all_answer(*state, all, 1, RILL_ERROR_NOT_READY);
}

TRY(record, rill_event_record(scene->recorded, scene->other, 0))
TRY(wait_event, rill_stream_wait_event(scene->other, scene->recorded, 0))
TRY(launch_host, rill_launch_host(scene->other, count_up, &f->mark_count, NULL))
TRY(fill_async, rill_memset_d32_async(scene->other, scene->memory, 7, 1))
TRY(write_value, rill_stream_write_value32(scene->other, scene->memory + 8, 1, 0))
TRY(synchronize_event, rill_event_synchronize(scene->recorded))
TRY(synchronize_other, rill_stream_synchronize(scene->other))

static void events_host_functions_fills_and_values_can_be_submitted_and_waited_for(void **state)
{
    static const struct question all[] = {
        ASK(record),      ASK(wait_event),        ASK(launch_host),      ASK(fill_async),
        ASK(write_value), ASK(synchronize_event), ASK(synchronize_other),
    };
    all_answer(*state, all, sizeof all / sizeof *all, RILL_SUCCESS);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(nothing_can_be_made_or_freed),
    cmocka_unit_test(pools_are_out_of_reach),
    cmocka_unit_test(what_needs_the_context_cannot_be_asked),
    cmocka_unit_test(nothing_can_be_launched_copied_or_allocated),
    cmocka_unit_test(streams_and_events_can_be_asked),
    cmocka_unit_test(its_own_stream_is_not_ready),
    cmocka_unit_test(events_host_functions_fills_and_values_can_be_submitted_and_waited_for),
};

SUITE_GROUP(inside_host_functions, 1);
