/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/faults_program.h"

#include <string.h>

#include <rill/sim.h>

#define MIB ((size_t)1 << 20)
#define PARAMS 40 /* more than the simulator keeps without an allocation */

void program_stop(struct program *p, const char *call, rill_status status)
{
    p->call = call;
    p->status = status;
}

/* Makes a call; false when the program must end. */
#define TRY(call)                                                          \
    do {                                                                   \
        rill_status status_ = (call);                                      \
        if (status_ == RILL_ERROR_OUT_OF_MEMORY && ++p->failures == 1) {   \
            if (p->gives_up) return false;                                 \
            status_ = (call);                                              \
        }                                                                  \
        if (status_) {                                                     \
            program_stop(p, #call, status_);                                       \
            return false;                                                  \
        }                                                                  \
    } while (0)

/* ---- What runs --------------------------------------------------------------- */

static void run(void *data)
{
    atomic_fetch_add(&((struct program *)data)->ran, 1);
}

static void destroy(void *data)
{
    atomic_fetch_add(&((struct program *)data)->destroyed, 1);
}

static void call_back(rill_stream *stream, rill_status status, void *data)
{
    (void)stream;
    if (!status) atomic_fetch_add(&((struct program *)data)->called_back, 1);
}

static void add_one(const rill_launch *launch)
{
    ++*RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 0, rill_devptr), uint32_t);
}

static void add_last(const rill_launch *launch)
{
    *RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 0, rill_devptr), uint32_t) +=
        RILL_ARGUMENT(launch, PARAMS - 1, uint32_t);
}

static void use_shared(const rill_launch *launch)
{
    memset(launch->shared, 1, launch->shared_bytes);
    add_one(launch);
}

static const rill_param address_layout[] = { RILL_PARAM(rill_devptr) };

/* ---- Its parts ----------------------------------------------------------------- */

static bool open_machine(struct program *p)
{
    static const rill_sim_options sim = { .size = sizeof sim, .devices = 2, .workers = 2 };
    const rill_open_options options = {
        .size = sizeof options, .backend = "sim", .sim = &sim, .label = "faulty",
    };
    const rill_context_options own = {
        .size = sizeof own, .flags = RILL_CONTEXT_OWN, .label = "own",
    };
    const rill_context_options second = { .size = sizeof second, .device = 1 };
    TRY(rill_open(&options, &p->platform));
    TRY(rill_context_create(p->platform, NULL, &p->context));
    TRY(rill_context_create(p->platform, &own, &p->own));
    TRY(rill_context_create(p->platform, &second, &p->second));
    TRY(rill_context_enable_peer(p->context, p->second));
    return true;
}

static bool make_streams(struct program *p)
{
    const rill_stream_options named = {
        .size = sizeof named, .flags = RILL_STREAM_NON_BLOCKING, .label = "other",
    };
    const rill_event_options timing = { .size = sizeof timing, .flags = RILL_EVENT_TIMING };
    TRY(rill_stream_create(p->context, NULL, &p->stream));
    TRY(rill_stream_create(p->context, &named, &p->other));
    TRY(rill_stream_create(p->second, NULL, &p->far));
    TRY(rill_stream_set_label(p->stream, "stream"));
    TRY(rill_event_create(p->context, NULL, &p->event));
    TRY(rill_event_create(p->context, &timing, &p->timed));
    TRY(rill_event_create(p->context, &timing, &p->begun));
    return true;
}

static bool make_memory(struct program *p)
{
    size_t pitch;
    TRY(rill_mem_alloc(p->context, MIB, &p->device));
    TRY(rill_mem_alloc_pitch(p->own, 100, 10, 4, &p->pitched, &pitch));
    TRY(rill_mem_alloc(p->second, 4096, &p->far_memory));
    TRY(rill_host_alloc(p->context, 65536, 0, &p->pinned));
    memset(p->pinned, 0, 65536);
    TRY(rill_host_register(p->own, p->registered, 8192, 0));
    return true;
}

static bool load_kernels(struct program *p)
{
    static rill_param many[PARAMS];
    for (int i = 0; i < PARAMS; i++) many[i] = (rill_param)RILL_PARAM(uint32_t);
    many[0] = address_layout[0];
    many[1] = (rill_param){ 64, 64 }; /* wider than a queue's cells */
    const rill_function functions[] = {
        { .name = "add_one", .over_grid = add_one, .params = address_layout, .param_count = 1 },
        { .name = "add_last", .over_grid = add_last, .params = many, .param_count = PARAMS },
        { .name = "use_shared", .over_block = use_shared, .params = address_layout,
          .param_count = 1, .static_shared_bytes = 1000 },
    };
    const rill_image image = {
        .size = sizeof image, .functions = functions, .function_count = 3, .label = "kernels",
    };
    TRY(rill_module_load(p->context, &image, &p->module));
    TRY(rill_module_kernel(p->module, "add_one", &p->add));
    TRY(rill_module_kernel(p->module, "add_last", &p->many));
    TRY(rill_module_kernel(p->module, "use_shared", &p->shared));
    return true;
}

static bool launch_kernels(struct program *p)
{
    static const rill_dim3 one = { 1, 1, 1 };
    static const unsigned char wide[64];
    const uint32_t values[PARAMS] = { [PARAMS - 1] = 10 };
    const void *params[PARAMS];
    for (int i = 0; i < PARAMS; i++) params[i] = &values[i];
    params[0] = &p->device;
    params[1] = wide;
    TRY(rill_memset_d32_async(p->stream, p->device, 0, 4));
    TRY(rill_launch_kernel(p->stream, p->add, one, one, 0, params));
    TRY(rill_launch_kernel(p->stream, p->many, one, one, 0, params));
    TRY(rill_launch_kernel(p->stream, p->shared, one, one, 5000, params));
    TRY(rill_memcpy_dtoh_async(p->stream, &p->results[0], p->device, 4)); /* 12 */
    return true;
}

static bool copy_around(struct program *p)
{
    static uint32_t pageable[1024];
    uint32_t value = 7;
    const rill_copy box = {
        .dst = rill_device_place(p->device + 8192), .src = rill_host_place(pageable),
        .width = 40, .height = 10, .depth = 2,
    };
    TRY(rill_memcpy_htod_async(p->other, p->device + 4096, &value, 4));
    TRY(rill_memcpy_dtod_async(p->other, p->device + 4100, p->device + 4096, 4));
    TRY(rill_memcpy_box_async(p->other, &box));
    TRY(rill_memset_d8(p->context, p->pitched, 1, 100));
    TRY(rill_memcpy_htod(p->context, p->device + 12288, pageable, sizeof pageable));
    TRY(rill_memcpy_peer_async(p->far, p->second, p->far_memory, p->context, p->device + 16384,
                               64));
    /* The legacy stream of one context knows nothing of streams of another. */
    TRY(rill_stream_synchronize(p->far));
    TRY(rill_memset_d32(p->context, p->far_memory, 3, 4));
    TRY(rill_stream_synchronize(p->other));
    TRY(rill_memcpy_dtoh(p->context, &p->results[1], p->device + 4100, 4)); /* 7 */
    return true;
}

static bool call_functions(struct program *p)
{
    for (int i = 0; i < BURST; i++) {
        rill_stream *const all[] = { p->stream, p->other, rill_stream_legacy(p->context),
                                     rill_stream_per_thread(p->context) };
        TRY((p->given++, rill_launch_host(all[i % 4], run, p, destroy)));
    }
    TRY(rill_stream_add_callback(p->stream, call_back, p, 0));
    p->called++;
    return true;
}

static bool use_events(struct program *p)
{
    float milliseconds;
    TRY(rill_event_record(p->begun, p->stream, 0));
    TRY(rill_event_record(p->event, p->stream, 0));
    TRY(rill_stream_wait_event(p->other, p->event, 0));
    TRY(rill_stream_wait_event(p->far, p->event, 0));
    TRY(rill_stream_wait_stream(p->stream, p->far));
    TRY(rill_event_record(p->timed, p->other, 0));
    TRY(rill_event_record(p->event, rill_stream_legacy(p->context), 0));
    TRY(rill_event_synchronize(p->timed));
    TRY(rill_event_elapsed(p->begun, p->timed, &milliseconds));
    TRY(rill_event_synchronize(p->event));
    return true;
}

static bool exchange_values(struct program *p)
{
    rill_devptr word = (rill_devptr)(uintptr_t)p->pinned;
    const rill_value items[] = {
        { RILL_VALUE_WAIT_32, RILL_WAIT_EQ, word, 1 },
        { RILL_VALUE_WRITE_64, 0, word + 8, 2 },
    };
    TRY(rill_stream_batch_values(p->stream, items, 2, 0));
    TRY(rill_stream_wait_value64(p->other, word + 8, 2, RILL_WAIT_GEQ));
    TRY(rill_stream_write_value32(p->other, word + 16, 3, 0));
    atomic_store((atomic_uint *)p->pinned, 1);
    TRY(rill_stream_synchronize(p->other));
    p->results[2] = ((uint32_t *)p->pinned)[4]; /* 3 */
    return true;
}

static bool use_pools(struct program *p)
{
    const rill_pool_options options = { .size = sizeof options, .maximum = 64 * MIB,
                                        .label = "pool" };
    TRY(rill_pool_create(p->platform, &options, &p->pool));
    TRY(rill_pool_set_access(p->pool, 1, RILL_ACCESS_READ_WRITE));
    TRY(rill_mem_alloc_async(p->stream, 4096, &p->moved));
    TRY(rill_mem_free_async(p->stream, p->moved));
    p->moved = 0;
    for (uint32_t i = 0; i < 20; i++) {
        rill_stream *stream = i % 2 ? p->stream : p->other;
        TRY(rill_mem_alloc_from_pool_async(stream, p->pool, 20 * MIB, &p->pooled));
        TRY(rill_memset_d32_async(stream, p->pooled, i, 4));
        TRY(rill_memcpy_dtoh_async(stream, &p->results[3], p->pooled, 4)); /* 19 */
        TRY(rill_mem_free_async(stream, p->pooled));
        p->pooled = 0;
    }
    TRY(rill_mem_alloc(p->context, 4096, &p->moved));
    TRY(rill_mem_free_async(p->other, p->moved));
    p->moved = 0;
    TRY(rill_stream_synchronize(p->other));
    TRY(rill_pool_trim(p->pool, 0));
    return true;
}

bool program_use_everything(struct program *p)
{
    return open_machine(p) && make_streams(p) && make_memory(p) && load_kernels(p) &&
           launch_kernels(p) && copy_around(p) && call_functions(p) && use_events(p) &&
           exchange_values(p) && use_pools(p);
}

/* ---- Its end ------------------------------------------------------------------ */

/* Gives a thing back: it is gone, whatever the call says, which is nothing worse
 * than that memory was short. */
static void give_back(struct program *p, const char *call, rill_status status, const void *left)
{
    if (status == RILL_ERROR_OUT_OF_MEMORY) p->failures++;
    else if (status && !p->status) program_stop(p, call, status);
    if (left && !p->status) program_stop(p, call, RILL_ERROR_UNKNOWN);
}

#define BACK(destroy, thing)                          \
    do {                                              \
        rill_status status_ = destroy(&p->thing);     \
        give_back(p, #destroy, status_, p->thing);    \
    } while (0)
#define FREE(call) give_back(p, #call, call, NULL)

void program_end(struct program *p)
{
    if (p->pinned) atomic_store((atomic_uint *)p->pinned, 1);
    if (p->context && p->pooled) FREE(rill_mem_free(p->context, p->pooled));
    if (p->context && p->moved) FREE(rill_mem_free(p->context, p->moved));
    if (p->context && p->device) FREE(rill_mem_free(p->context, p->device));
    BACK(rill_stream_destroy, stream);
    BACK(rill_stream_destroy, other);
    BACK(rill_stream_destroy, far);
    BACK(rill_event_destroy, event);
    BACK(rill_event_destroy, timed);
    BACK(rill_event_destroy, begun);
    BACK(rill_module_unload, module);
    BACK(rill_pool_destroy, pool);
    BACK(rill_context_destroy, own);
    BACK(rill_context_destroy, second);
    BACK(rill_context_destroy, context);
    BACK(rill_close, platform);
}
