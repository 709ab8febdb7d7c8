/* SPDX-License-Identifier: Apache-2.0 */
#include "standin/object/machine.h"

#include <rill/sim.h>

#include <stdio.h>
#include <string.h>

#include "base/words/log_words.h"
#include "base/thread.h"
#include "device/model.h"
#include "standin/abi/log.h"
#include "standin/abi/status.h"
#include "standin/object/blocking.h"
#include "standin/object/device_attribute.h"
#include "standin/object/visible.h"

rill_platform *si_platform;
atomic_int si_ready, si_over;
struct si_device si_devices[SI_DEVICES];
int si_device_count;

CUresult si_not_ready(void)
{
    return atomic_load_explicit(&si_over, memory_order_relaxed) ? RILL_ERROR_DEINITIALIZED
                                                                : RILL_ERROR_NOT_INITIALIZED;
}

/* rill counts devices whatever became of them, but not inside a host function. */
CUresult si_check_outside(void)
{
    int count;
    return rill_device_count(si_platform, &count);
}

/* ---- Begin and end ---------------------------------------------------------------------- */

/* Asks for the records of all devices, of which there are up to SI_DEVICES. */
static rill_status read_devices(rill_platform *platform, rill_device_info *infos, int *count)
{
    rill_status status = rill_device_count(platform, count);
    if (*count > SI_DEVICES) *count = SI_DEVICES;
    for (int i = 0; !status && i < *count; i++) {
        infos[i].size = sizeof infos[i];
        status = rill_device_get_info(platform, i, &infos[i]);
    }
    return status;
}

/* rill's own statuses have no number in the driver. */
static CUresult driver_status(rill_status status)
{
    return (int)status < 10000 ? status : RILL_ERROR_UNKNOWN;
}

/* Writes the line that a driver writes to the system's log.  What C functions report does not name
 * the kernel. */
static void log_fault(void *data, const rill_error_cause *cause, const char *message)
{
    bool named = !strncmp(message, "kernel '", 8) || !strcmp(cause->operation, "kernel");
    const char *status = si_status_name(cause->status);
    (void)data;
    si_log("%s%s%s: %s%s%s", status ? status : "unknown status", *cause->object ? " in " : "",
           cause->object, named ? "" : cause->operation, named ? "" : ": ", message);
}

/* Says what a driver never does. */
static void log_beyond(void *data, const char *message)
{
    (void)data;
    if (rl_log_wants("faults")) si_log("%s; rill run --check takes it for a fault", message);
}

/* Answers kernels. */
static int tell_attribute(void *data, int device, int attribute, int *value)
{
    (void)data;
    if (device < 0 || device >= si_device_count) return RILL_ERROR_INVALID_DEVICE;
    return si_device_attribute(&si_devices[device], attribute, value) ? RILL_SUCCESS
                                                                      : RILL_ERROR_INVALID_VALUE;
}

/* Tells whether the layer `check` is asked for: then kernels are held to the bytes that they have,
 * else to what a GPU holds them to. */
static bool is_checked(void)
{
    const char *layers = rl_getenv("RILL_LAYERS");
    return rl_log_has(layers, "check");
}

/* Opens a machine of so many devices of these models, or, if that is 0, as the environment says. */
static rill_status open_machine(int devices, const char *models)
{
    /* One thread calls all host functions, as the driver's does, unless the environment
     * says otherwise. */
    const char *host_thread = rl_getenv("RILL_SIM_HOST_THREAD");
    char layers[1024];
    const rill_sim_options sim = { .size = sizeof sim, .devices = devices,
                                   .device = devices ? models : NULL,
                                   .host_thread = !host_thread,
                                   .fault = rl_log_wants("faults") ? log_fault : NULL,
                                   .beyond = is_checked() ? NULL : log_beyond,
                                   .attribute = tell_attribute };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim,
                                        .layers = si_blocking_layers(layers, sizeof layers) };
    return rill_open(&options, &si_platform);
}

/* Chooses from the devices of a machine that is there for that alone.  What is chosen has the
 * records that it has there: all that tells devices apart. */
static CUresult choose_devices(const char *list, rill_device_info *chosen, int *count)
{
    const rill_sim_options sim = { .size = sizeof sim, .workers = 1, .schedule = "" };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim,
                                        .layers = "" };
    rill_device_info all[SI_DEVICES];
    rill_platform *platform;
    int numbers[SI_DEVICES];
    rill_status status = rill_open(&options, &platform);
    if (status) return status;
    status = read_devices(platform, all, count);
    rill_close(&platform);
    if (status) return status;
    *count = si_visible_choose(list, all, *count, numbers);
    for (int i = 0; i < *count; i++) chosen[i] = all[numbers[i]];
    return *count ? RILL_SUCCESS : RILL_ERROR_NO_DEVICE;
}

/* Writes the keys of the models that devices are of, with commas between them. */
static void write_models(const rill_device_info *infos, int count, char *text, size_t room)
{
    size_t used = 0;
    *text = 0;
    for (int i = 0; i < count && used < room; i++) {
        const struct device_model *model = device_model_named(infos[i].name);
        const char *key = model ? model->key : device_models->key;
        used += (size_t)snprintf(text + used, room - used, i ? ",%s" : "%s", key);
    }
}

CUresult si_machine_open(void)
{
    char models[SI_DEVICES * 16];
    const char *list = rl_getenv("CUDA_VISIBLE_DEVICES");
    rill_device_info infos[SI_DEVICES];
    int count = 0;
    rill_status status = list ? choose_devices(list, infos, &count) : RILL_SUCCESS;
    if (status) return driver_status(status);
    write_models(infos, count, models, sizeof models);
    status = open_machine(count, models);
    if (status) return driver_status(status);
    if (!list) status = read_devices(si_platform, infos, &count);
    for (int i = 0; !status && i < count; i++) si_devices[i].info = infos[i];
    if (status) si_machine_close();
    else si_device_count = count;
    return driver_status(status);
}

void si_machine_close(void)
{
    rill_close(&si_platform);
}
