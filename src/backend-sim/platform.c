/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening a simulated machine, and what its devices say of themselves.
 */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend-sim/exec.h"
#include "backend-sim/graph.h"
#include "backend-sim/host_thread.h"
#include "backend-sim/capture.h"
#include "backend-sim/module.h"
#include "backend-sim/observe.h"
#include "backend-sim/stream.h"
#include "base/alloc.h"
#include "base/thread.h"

#define MEMORY_DEFAULT (UINT64_C(8) << 30)
#define MEMORY_LEAST (UINT64_C(1) << 20)
#define MEMORY_MOST (UINT64_C(1) << 44)
#define PRIORITY_DEFAULT (-5)
#define KERNEL_HEAP_DEFAULT (8 << 20) /* as on hardware */

/* ---- Settings ----------------------------------------------------------------- */

/* A whole number with an optional K, M, G or T behind it. */
static bool parse_number(const char *text, int64_t *number)
{
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || errno) return false;
    static const char suffixes[] = "KMGT";
    const char *suffix = isalpha((unsigned char)*end) ? strchr(suffixes, *end & ~0x20) : NULL;
    if (suffix) {
        int shift = 10 * (int)(suffix - suffixes + 1);
        if (value < 0 || value > INT64_MAX >> shift) return false;
        value <<= shift;
        end++;
    }
    *number = value;
    return !*end;
}

/* What the program asked for, else what the environment says, else `fallback`. */
static rill_status setting(int64_t asked, const char *field, const char *variable, int64_t least,
                           int64_t most, int64_t fallback, int64_t *out)
{
    const char *argument = field, *text = asked ? NULL : rl_getenv(variable);
    int64_t value = asked ? asked : fallback;
    if (text && *text) {
        argument = variable;
        if (!parse_number(text, &value))
            return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument,
                                     "%s: '%.64s' is not a number (K, M, G, T may follow it)",
                                     argument, text);
    }
    if (value < least || value > most)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument,
                                 "%s: %lld is not within %lld to %lld", argument,
                                 (long long)value, (long long)least, (long long)most);
    *out = value;
    return RILL_SUCCESS;
}

/* Words with commas between them. */
static rill_status read_checks(uint32_t asked, uint32_t *checks)
{
    const char *text = asked ? NULL : rl_getenv("RILL_PTX_CHECK");
    *checks = asked;
    if (asked & ~RILL_PTX_CHECK_RACES)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->sim->ptx_check",
                                 "0x%x holds unknown bits", asked);
    while (text && *text) {
        size_t bytes = strcspn(text, ",");
        if (bytes == 5 && !memcmp(text, "races", 5)) *checks |= RILL_PTX_CHECK_RACES;
        else if (bytes)
            return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "RILL_PTX_CHECK",
                                     "RILL_PTX_CHECK: '%.64s' is no check; there is 'races'", text);
        text += bytes + (text[bytes] == ',');
    }
    return RILL_SUCCESS;
}

struct settings {
    int64_t devices, memory, workers, priority, host_thread, steps, kernel_heap;
    uint32_t checks;
    void (*print)(void *data, const char *text, size_t bytes);
    void *print_data;
};

/* Those of kernels of PTX. */
static rill_status read_ptx_settings(const rill_sim_options *options, struct settings *out)
{
    int64_t steps = options->ptx_steps < INT64_MAX ? (int64_t)options->ptx_steps : INT64_MAX;
    int64_t heap = options->ptx_heap_bytes < INT64_MAX ? (int64_t)options->ptx_heap_bytes
                                                       : INT64_MAX;
    out->print = options->print;
    out->print_data = options->print_data;
    rill_status status = read_checks(options->ptx_check, &out->checks);
    if (!status)
        status = setting(steps, "options->sim->ptx_steps", "RILL_PTX_STEPS", 0, INT64_MAX, 0,
                         &out->steps);
    if (!status)
        status = setting(heap, "options->sim->ptx_heap_bytes", "RILL_PTX_HEAP", 0, INT64_MAX,
                         KERNEL_HEAP_DEFAULT, &out->kernel_heap);
    return status;
}

static rill_status read_settings(const rill_sim_options *options, struct settings *out)
{
    static const rill_sim_options none = { .size = sizeof none };
    if (!options) options = &none;
    if (options->size != sizeof *options)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->sim->size",
                                 "%zu is not sizeof(rill_sim_options)", options->size);
    if (options->memory_bytes > (uint64_t)INT64_MAX)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "options->sim->memory_bytes",
                                 "this is more than any machine can address");
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    if (processors < 1) processors = 1;
    if (processors > ENGINE_WORKERS_MAX) processors = ENGINE_WORKERS_MAX;
    rill_status status = setting(options->devices, "options->sim->devices", "RILL_SIM_DEVICES", 1,
                                 SIM_DEVICES_MAX, 1, &out->devices);
    if (!status)
        status = setting((int64_t)options->memory_bytes, "options->sim->memory_bytes",
                         "RILL_SIM_MEMORY", (int64_t)MEMORY_LEAST, (int64_t)MEMORY_MOST,
                         (int64_t)MEMORY_DEFAULT, &out->memory);
    if (!status)
        status = setting(options->workers, "options->sim->workers", "RILL_SIM_WORKERS", 1,
                         ENGINE_WORKERS_MAX, processors, &out->workers);
    if (!status)
        status = setting(options->priority_greatest, "options->sim->priority_greatest",
                         "RILL_SIM_PRIORITY", -(ENGINE_PRIORITIES - 1), 0, PRIORITY_DEFAULT,
                         &out->priority);
    if (!status)
        status = setting(options->host_thread, "options->sim->host_thread",
                         "RILL_SIM_HOST_THREAD", 0, 1, 0, &out->host_thread);
    if (!status) status = read_ptx_settings(options, out);
    return status;
}

/* ---- Life ----------------------------------------------------------------------- */

static rill_status probe(const rill_open_options *options)
{
    (void)options;
    return RILL_SUCCESS;
}

static void close_parts(struct sim_platform *platform)
{
    if (platform->devices) sim_memory_close(platform);
    if (platform->engine) {
        struct observer *observer = platform->engine->observer;
        sim_engine_destroy(platform->engine);
        sim_observer_destroy(observer);
    }
    sim_host_thread_destroy(platform->host_thread);
    rl_free(platform->devices);
    *platform = (struct sim_platform){ .handle = platform->handle };
}

static rill_status open_parts(struct sim_platform *platform, const struct settings *settings)
{
    platform->device_count = (int)settings->devices;
    platform->priority_greatest = (int)settings->priority;
    platform->ptx_limits.steps = (uint64_t)settings->steps;
    platform->check_races = settings->checks & RILL_PTX_CHECK_RACES;
    platform->kernel_heap_bytes = (uint64_t)settings->kernel_heap;
    platform->print = settings->print;
    platform->print_data = settings->print_data;
    sim_shape_draw_secret(&platform->shape_secret);
    rill_status status = sim_engine_create(platform, (int)settings->workers, &platform->engine);
    if (!status) status = sim_observer_create(&platform->engine->observer);
    if (!status && settings->host_thread) status = sim_host_thread_create(&platform->host_thread);
    if (status) return status;
    struct sim_device *devices = rl_zalloc((size_t)settings->devices * sizeof *devices);
    if (!devices) return RILL_ERROR_OUT_OF_MEMORY;
    for (int i = 0; i < platform->device_count; i++) {
        devices[i].platform = platform;
        devices[i].ordinal = i;
        devices[i].memory_bytes = (uint64_t)settings->memory;
    }
    platform->devices = devices;
    status = sim_memory_open(platform);
    if (status) { /* a failed open leaves nothing behind to close */
        platform->devices = NULL;
        rl_free(devices);
    }
    return status;
}

static rill_status open(rill_platform *handle, const rill_open_options *options)
{
    struct sim_platform *platform = sim_platform_of(handle);
    struct settings settings;
    rill_status status = read_settings(options->sim, &settings);
    if (status) return status;
    platform->handle = handle;
    status = open_parts(platform, &settings);
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

rill_status sim_check_device(const struct sim_platform *platform, int device, rill_status code,
                             const char *argument)
{
    if (device >= 0 && device < platform->device_count) return RILL_SUCCESS;
    return rill_backend_fail(code, argument, "there is no device %d; the platform has %d", device,
                             platform->device_count);
}

/* Devices are counted before and after any failure, but not from inside a host
 * function. */
static rill_status device_count(rill_platform *handle, int *count)
{
    struct sim_platform *platform = sim_platform_of(handle);
    rill_status status = sim_outside(platform);
    if (!status) *count = platform->device_count;
    return status;
}

static rill_status device_info(rill_platform *handle, int device, rill_device_info *info)
{
    struct sim_platform *platform = sim_platform_of(handle);
    rill_status status =
        sim_check_device(platform, device, RILL_ERROR_INVALID_DEVICE, "device");
    if (status) return status;
    size_t size = info->size;
    *info = (rill_device_info){
        .size = size,
        .memory_bytes = platform->devices[device].memory_bytes,
        .compute_major = 9,
        .compute_minor = 0,
        .multiprocessors = SIM_MULTIPROCESSORS,
        .warp_size = 32,
        .max_threads_per_block = SIM_THREADS_MAX,
        .max_block = { SIM_THREADS_MAX, SIM_THREADS_MAX, SIM_BLOCK_Z_MAX },
        .max_grid = { SIM_GRID_X_MAX, SIM_GRID_YZ_MAX, SIM_GRID_YZ_MAX },
        .shared_bytes_per_block = SIM_SHARED_BYTES,
        .shared_bytes_per_block_opt_in = SIM_SHARED_BYTES_OPT_IN,
        .priority_least = 0,
        .priority_greatest = platform->priority_greatest,
        .workers = platform->engine->workers_max,
    };
    snprintf(info->name, sizeof info->name, "rill simulator (H200 limits)");
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

const struct rill_device_ops sim_device_ops = {
    .count = device_count,
    .info = device_info,
    .can_access_peer = can_access_peer,
};

/* ---- The memory table, whose slots two parts share ---------------------------------- */

static const struct rill_memory_ops memory_ops = {
    .acquire = sim_mem_acquire,
    .acquire_pitch = sim_mem_acquire_pitch,
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
    .probe = probe,
    .open = open,
    .close = close_platform,
    .device = &sim_device_ops,
    .context = &sim_context_ops,
    .memory = &memory_ops,
    .module = &sim_module_ops,
    .stream = &sim_stream_ops,
    .event = &sim_event_ops,
    .pool = &sim_pool_ops,
    .capture = &sim_capture_ops,
    .graph = &sim_graph_ops,
    .exec = &sim_exec_ops,
};
