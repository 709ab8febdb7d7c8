/* SPDX-License-Identifier: Apache-2.0 */
#include "standin/object/machine.h"

#include <rill/sim.h>

#include <string.h>

#include "base/log_words.h"
#include "base/thread.h"
#include "standin/abi/log.h"
#include "standin/abi/status.h"

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

static CUresult ask_for_devices(void)
{
    int count = 0;
    rill_status status = rill_device_count(si_platform, &count);
    for (int i = 0; !status && i < count && i < SI_DEVICES; i++) {
        si_devices[i].info.size = sizeof si_devices[i].info;
        status = rill_device_get_info(si_platform, i, &si_devices[i].info);
    }
    if (!status) si_device_count = count < SI_DEVICES ? count : SI_DEVICES;
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

CUresult si_machine_open(void)
{
    /* One thread calls all host functions, as the driver's does, unless the environment
     * says otherwise. */
    const char *host_thread = rl_getenv("RILL_SIM_HOST_THREAD");
    const rill_sim_options sim = { .size = sizeof sim, .host_thread = !host_thread,
                                   .fault = rl_log_wants("faults") ? log_fault : NULL };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    rill_status status = rill_open(&options, &si_platform);
    if (status) return driver_status(status);
    status = ask_for_devices();
    if (status) si_machine_close();
    return driver_status(status);
}

void si_machine_close(void)
{
    rill_close(&si_platform);
}
