/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine: made by cuInit(), gone with the library.
 *
 * Before cuInit() there is no thread and no state, so that a process may fork and each
 * child begin anew.  A child of a process that has begun answers NOT_INITIALIZED for
 * good, as the driver does.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include <rill/sim.h>

#include "standin/context.h"
#include "standin/module.h"

rill_platform *si_platform;
atomic_int si_ready;
struct si_device si_devices[SI_DEVICES];
int si_device_count;

static struct rl_lock init_lock;
static atomic_int forked; /* from a process that had begun */
static atomic_int over;   /* the process ends           */

CUresult si_not_ready(void)
{
    return atomic_load_explicit(&over, memory_order_relaxed) ? RILL_ERROR_DEINITIALIZED
                                                             : RILL_ERROR_NOT_INITIALIZED;
}

/* ---- Versions --------------------------------------------------------------------------- */

/* "12.4" is 12040; 0 for what is no version. */
static int version_of(const char *text)
{
    int major = 0, minor = 0;
    char more;
    if (!text || sscanf(text, "%d.%d%c", &major, &minor, &more) != 2) return 0;
    return major > 0 && minor >= 0 && minor < 100 ? 1000 * major + 10 * minor : 0;
}

/* What RILL_SIM_DRIVER asks for cannot be more than was linked. */
int si_version(void)
{
    int asked = version_of(rl_getenv("RILL_SIM_DRIVER"));
    return asked && asked < si_profile ? asked : si_profile;
}

ENTRY(cuDriverGetVersion, (int *version), (version))
{
    if (!version) return RILL_ERROR_INVALID_VALUE;
    *version = si_version();
    return RILL_SUCCESS;
}

/* ---- Begin ------------------------------------------------------------------------------ */

static void in_child(void)
{
    if (!atomic_load_explicit(&si_ready, memory_order_relaxed)) return;
    si_holders_forked();
    atomic_store_explicit(&forked, 1, memory_order_relaxed);
    atomic_store_explicit(&si_ready, 0, memory_order_relaxed);
}

static CUresult look_at_devices(void)
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
static CUresult known(rill_status status)
{
    return (int)status < 10000 ? status : RILL_ERROR_UNKNOWN;
}

static void process_ends(void);

/* Once for the process: a child of one that had begun cannot, nor can who is about to end. */
static int may_begin(void)
{
    return !atomic_load_explicit(&forked, memory_order_relaxed) &&
           !atomic_load_explicit(&over, memory_order_relaxed);
}

static CUresult begin(void)
{
    /* As the driver calls them, unless the environment says otherwise. */
    const char *host_thread = rl_getenv("RILL_SIM_HOST_THREAD");
    const rill_sim_options sim = { .size = sizeof sim, .host_thread = !host_thread };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim };
    rill_status status = rill_open(&options, &si_platform);
    if (status) return known(status);
    status = look_at_devices();
    if (!status) status = si_holders_begin();
    if (!status) status = si_stacks_begin();
    if (!status && (pthread_atfork(NULL, NULL, in_child) || atexit(process_ends))) {
        si_stacks_end();
        status = RILL_ERROR_OUT_OF_MEMORY;
    }
    if (status)
        rill_close(&si_platform);
    else
        atomic_store_explicit(&si_ready, 1, memory_order_release);
    return known(status);
}

ENTRY(cuInit, (unsigned flags), (flags))
{
    if (flags) return RILL_ERROR_INVALID_VALUE;
    if (atomic_load_explicit(&si_ready, memory_order_acquire)) return RILL_SUCCESS;
    if (!may_begin()) return si_not_ready();
    rl_lock(&init_lock);
    int ready = atomic_load_explicit(&si_ready, memory_order_acquire);
    CUresult status = ready ? RILL_SUCCESS : begin();
    rl_unlock(&init_lock);
    return status;
}

/* ---- The end ----------------------------------------------------------------------------
 *
 * When the process ends, process_ends() runs first: other threads may be in the midst of
 * calls, so that nothing is freed, but no function of the program is called any more.
 * When the library is unloaded, unload() runs first, and nobody may be using it.
 */

enum { PATIENCE_NS = 200000000 };

static void process_ends(void)
{
    if (!atomic_exchange(&si_ready, 0)) return;
    atomic_store(&over, 1);
    rill_sim_abandon(si_platform, PATIENCE_NS);
}

static void end_context(void *slot, void *object, void *data)
{
    CUresult status;
    (void)object, (void)data;
    si_context_close(slot, &status);
}

/* If a thread is still inside the program, everything stays, for its sake. */
static void unload_machine(void)
{
    si_enter(); /* as long as it can be had */
    if (!atomic_exchange(&si_ready, 0)) return;
    if (rill_sim_abandon(si_platform, 5 * (uint64_t)PATIENCE_NS)) return;
    si_handle_each(SI_CONTEXT, end_context, NULL);
    si_linkings_end();
    si_libraries_end();
    si_holders_end();
    rill_close(&si_platform);
    si_functions_end();
    si_stacks_end();
    si_handles_unmap();
}

__attribute__((destructor)) static void unload(void)
{
    si_report_refused();
    unload_machine();
}
