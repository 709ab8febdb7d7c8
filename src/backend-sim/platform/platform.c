/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening a simulated machine, and what its devices report.
 */
#include <stdio.h>
#include <string.h>

#include "backend-sim/capture/capture.h"
#include "backend-sim/clock/clock.h"
#include "backend-sim/exec/exec.h"
#include "backend-sim/graph/fingerprint.h"
#include "backend-sim/kernel/grid.h"
#include "backend-sim/kernel/module.h"
#include "backend-sim/kernel/reserve.h"
#include "backend-sim/memory/memory.h"
#include "backend-sim/node/calls.h"
#include "backend-sim/platform/context.h"
#include "backend-sim/platform/settings.h"
#include "backend-sim/platform/sleeps.h"
#include "backend-sim/platform/watch.h"
#include "backend-sim/program/gang/cluster_split.h"
#include "backend-sim/program/solo.h"
#include "backend-sim/schedule/schedule.h"
#include "backend-sim/scheduler/host_thread.h"
#include "backend-sim/scheduler/watch/observe.h"
#include "backend-sim/scheduler/watchdog.h"
#include "backend-sim/stream/stream.h"
#include "backend-sim/vmem/shared.h"
#include "backend-sim/vmem/vmem.h"
#include "base/alloc.h"
#include "base/memory_file.h"
#include "base/park.h"

/* ---- Life ----------------------------------------------------------------------- */

static rill_status probe_backend(const rill_open_options *options)
{
    (void)options;
    return RILL_SUCCESS;
}

/* Work that the platform's threads may do together, in the order in which they ask for it. */
static const struct work_source *const work_sources[] = {
    &sim_gangs, &sim_grids, &sim_solos, &sim_cluster_splits, NULL,
};

struct shared_work {
    alignas(64) struct gangs gangs;
    alignas(64) struct solos solos;
    alignas(64) struct grids grids;
};

static rill_status open_engine(struct sim_platform *platform, int workers)
{
    struct shared_work *work = rl_zalloc_lines(sizeof *work);
    if (!work) return RILL_ERROR_OUT_OF_MEMORY;
    platform->shared_work = work;
    platform->gangs = &work->gangs;
    platform->solos = &work->solos;
    platform->grids = &work->grids;
    return sim_engine_create(platform, work_sources, workers, &platform->engine);
}

/* A platform of which a thread stays in a function that was proved to wait for ever: what the
 * thread may still use, should the function return, outlives the handle. */
struct left_platform {
    struct sim_platform platform;
    struct left_platform *next;
};

static _Atomic(struct left_platform *) left_platforms; /* for tools that look for leaks */

static void leave_parts(struct sim_platform *platform)
{
    struct left_platform *left = rl_zalloc(sizeof *left);
    if (!left) return; /* the thread may come back to what is no more; it hardly will */
    left->platform = *platform;
    left->next = atomic_load(&left_platforms);
    while (!atomic_compare_exchange_weak(&left_platforms, &left->next, left)) continue;
    platform->engine->platform = &left->platform;
}

/* Ends the schedule, if one is given.  Returns false if a thread stays in a function. */
static bool close_schedule(struct sim_platform *platform)
{
    sim_sleeps_detach(platform);
    if (!platform->schedule) return true;
    if (!sim_schedule_stop(platform->schedule, RL_FOREVER)) return false;
    sim_schedule_free(platform->schedule);
    platform->schedule = NULL;
    return true;
}

static void close_parts(struct sim_platform *platform)
{
    if (!close_schedule(platform)) {
        leave_parts(platform);
        return;
    }
    if (platform->devices) {
        sim_sharing_close(platform);
        sim_vmem_close(platform);
        sim_memory_close(platform);
    }
    sim_host_thread_stop(platform->host_thread);
    if (platform->engine) {
        struct observer *observer = platform->engine->observer;
        sim_engine_destroy(platform->engine);
        sim_observer_destroy(observer);
    }
    sim_clock_free(platform->clock);
    rl_free(platform->shared_work);
    sim_host_thread_free(platform->host_thread);
    sim_kernel_reserve_free(&platform->kernel_reserve);
    rl_free(platform->devices);
    *platform = (struct sim_platform){ .handle = platform->handle };
}

/* Has the schedule follow a virtual clock.  Takes the costs over. */
static rill_status open_clock(struct sim_platform *platform, struct sim_settings *settings)
{
    platform->clock = sim_clock_create(platform, settings->costs);
    settings->costs = NULL;
    if (!platform->clock) return RILL_ERROR_OUT_OF_MEMORY;
    sim_clock_make_spec(platform->clock, &settings->schedule);
    return RILL_SUCCESS;
}

/* Has the schedule given, if it is. */
static rill_status open_schedule(struct sim_platform *platform, struct sim_settings *settings)
{
    rill_status status = settings->costs ? open_clock(platform, settings) : RILL_SUCCESS;
    if (!status && settings->schedule.policy)
        status = sim_schedule_create(platform->engine, &settings->schedule, settings->trail,
                                     &platform->schedule);
    if (!status && platform->schedule && settings->host_thread == HOST_THREAD_IN_CALLS)
        sim_schedule_run_here(platform->schedule);
    if (!status && platform->clock)
        sim_engine_set_virtual_time(platform->engine, &platform->clock->time);
    if (!status) sim_sleeps_attach(platform);
    return status;
}

/* All memory of devices is in the address space of the process.  With pointers of 32 bits there is
 * room for some small devices. */
static uint64_t memory_of(const struct device_model *model)
{
    const uint64_t most = UINTPTR_MAX > UINT32_MAX ? UINT64_MAX : UINT64_C(256) << 20;
    uint64_t bytes = (uint64_t)model->memory_mib << 20;
    return bytes < most ? bytes : most;
}

/* Stores the settings that need nothing else. */
static void apply_settings(struct sim_platform *platform, const struct sim_settings *settings)
{
    platform->interceptor = &sim_capture_interceptor;
    platform->device_count = (int)settings->devices;
    platform->priority_greatest = (int)settings->priority;
    platform->ptx_limits.steps = (uint64_t)settings->steps;
    /* Instructions are counted where there is a limit. */
    if (settings->costs && !settings->steps) platform->ptx_limits.steps = UINT64_MAX;
    platform->checks = settings->checks;
    platform->kernel_heap_bytes = (uint64_t)settings->kernel_heap;
    platform->print = settings->print;
    platform->print_data = settings->print_data;
    platform->fault_listener = settings->fault;
    platform->fault_data = settings->fault_data;
    platform->beyond = settings->beyond;
    platform->beyond_data = settings->beyond_data;
    platform->attribute = settings->attribute;
    platform->attribute_data = settings->attribute_data;
}

/* Opens what runs work, and the threads for it. */
static rill_status open_work(struct sim_platform *platform, struct sim_settings *settings)
{
    rill_status status = open_engine(platform, (int)settings->workers);
    if (!status) status = sim_observer_create(&platform->engine->observer);
    if (!status) platform->engine->whims = settings->whims;
    if (!status) status = open_schedule(platform, settings);
    if (!status && settings->watchdog && !platform->schedule)
        status = sim_watchdog_start(platform->engine);
    /* The one thread that takes the steps of a schedule calls host functions as well. */
    if (!status && settings->host_thread == HOST_THREAD_ONE && !platform->schedule)
        status = sim_host_thread_create(&platform->host_thread);
    return status;
}

/* Makes the devices, and opens their memory. */
static rill_status open_devices(struct sim_platform *platform, const struct sim_settings *settings)
{
    struct sim_device *devices = rl_zalloc((size_t)settings->devices * sizeof *devices);
    if (!devices) return RILL_ERROR_OUT_OF_MEMORY;
    for (int i = 0; i < platform->device_count; i++) {
        devices[i].platform = platform;
        devices[i].ordinal = i;
        devices[i].model = settings->models[i];
        devices[i].memory_bytes = settings->memory ? (uint64_t)settings->memory
                                                   : memory_of(devices[i].model);
    }
    platform->devices = devices;
    rill_status status = sim_memory_open(platform);
    if (status) { /* a failed open leaves nothing to close */
        platform->devices = NULL;
        rl_free(devices);
    }
    return status;
}

static rill_status open_parts(struct sim_platform *platform, struct sim_settings *settings)
{
    apply_settings(platform, settings);
    sim_fingerprint_draw_secret(&platform->fingerprint_secret);
    rill_status status = open_work(platform, settings);
    if (!status) status = open_devices(platform, settings);
    if (!status) status = sim_vmem_open(platform);
    return status ? status : sim_sharing_open(platform);
}

static rill_status open_platform(rill_platform *handle, const rill_open_options *options)
{
    struct sim_platform *platform = sim_platform_of(handle);
    struct sim_settings settings;
    rill_status status = sim_settings_read(options->sim, &settings);
    if (status) return status;
    platform->handle = handle;
    status = open_parts(platform, &settings);
    sim_settings_free(&settings);
    if (status) close_parts(platform);
    if (status == RILL_ERROR_OUT_OF_MEMORY)
        return rill_backend_fail(status, NULL, "no memory for a simulated machine");
    return status;
}

static void close_platform(rill_platform *handle)
{
    close_parts(sim_platform_of(handle));
}

/* ---- Devices ---------------------------------------------------------------------- */

/* Devices are counted before and after any failure, but not from inside a host
 * function. */
static rill_status device_count(rill_platform *handle, int *count)
{
    struct sim_platform *platform = sim_platform_of(handle);
    rill_status status = sim_check_outside(platform);
    if (!status) *count = platform->device_count;
    return status;
}

static rill_status device_info(rill_platform *handle, int device, rill_device_info *info)
{
    struct sim_platform *platform = sim_platform_of(handle);
    rill_status status =
        sim_check_device(platform, device, RILL_ERROR_INVALID_DEVICE, "device");
    if (status) return status;
    const struct device_model *model = platform->devices[device].model;
    const struct device_generation *generation = device_generation_of(model);
    size_t size = info->size;
    *info = (rill_device_info){
        .size = size,
        .memory_bytes = platform->devices[device].memory_bytes,
        .compute_major = model->capability / 10,
        .compute_minor = model->capability % 10,
        .multiprocessors = model->multiprocessors,
        .warp_size = 32,
        .max_threads_per_block = SIM_THREADS_MAX,
        .max_block = { SIM_THREADS_MAX, SIM_THREADS_MAX, SIM_BLOCK_Z_MAX },
        .max_grid = { SIM_GRID_X_MAX, SIM_GRID_YZ_MAX, SIM_GRID_YZ_MAX },
        .shared_bytes_per_block = SIM_SHARED_BYTES,
        .shared_bytes_per_block_opt_in = generation->opt_in,
        .priority_least = 0,
        .priority_greatest = platform->priority_greatest,
        .workers = platform->engine->workers_max,
        .managed_memory = 1,
        .concurrent_managed_access = !model->integrated,
    };
    snprintf(info->name, sizeof info->name, "%s", model->name);
    snprintf(info->bus_id, sizeof info->bus_id, "0000:%02x:00.0", device + 1);
    memcpy(info->uuid, "rill-simulator", 14);
    info->uuid[15] = (uint8_t)device;
    return RILL_SUCCESS;
}

static rill_status can_access_peer(rill_platform *handle, int device, int peer, int *can)
{
    struct sim_platform *platform = sim_platform_of(handle);
    rill_status status =
        sim_check_device(platform, device, RILL_ERROR_INVALID_DEVICE, "device");
    if (!status) status = sim_check_device(platform, peer, RILL_ERROR_INVALID_DEVICE, "peer");
    if (!status) *can = device != peer;
    return status;
}

static const struct rill_device_ops device_ops = {
    .count = device_count,
    .info = device_info,
    .can_access_peer = can_access_peer,
};

/* ---- The table of memory, with slots from two rooms --------------------------------- */

static const struct rill_memory_ops memory_ops = {
    .acquire = sim_mem_acquire,
    .acquire_pitch = sim_mem_acquire_pitch,
    .acquire_managed = sim_mem_acquire_managed,
    .release = sim_mem_release,
    .range = sim_mem_range,
    .info = sim_mem_info,
    .host_alloc = sim_host_alloc,
    .host_free = sim_host_free,
    .host_register = sim_host_register,
    .host_unregister = sim_host_unregister,
    .host_device_pointer = sim_host_device_pointer,
    .host_flags = sim_host_flags,
    .pointer_info = sim_pointer_info,
    .set_sync_memops = sim_set_sync_memops,
    .run = sim_memory_run,
};

const struct rill_backend rl_backend_sim = {
    .abi = RILL_BACKEND_ABI,
    .size = sizeof(struct rill_backend),
    .name = "sim",
    .rank = 10,
    .platform_private_bytes = sizeof(struct sim_platform),
    .probe = probe_backend,
    .open = open_platform,
    .close = close_platform,
    .device = &device_ops,
    .context = &sim_context_ops,
    .memory = &memory_ops,
    .module = &sim_module_ops,
    .stream = &sim_stream_ops,
    .event = &sim_event_ops,
    .pool = &sim_pool_ops,
    .vmem = RL_HAS_MEMORY_FILES ? &sim_vmem_ops : NULL,
    .capture = &sim_capture_ops,
    .graph = &sim_graph_ops,
    .exec = &sim_exec_ops,
    .watch = &sim_watch_ops,
    .schedule = &sim_schedule_ops,
};
