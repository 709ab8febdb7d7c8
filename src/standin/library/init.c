/* SPDX-License-Identifier: Apache-2.0
 *
 * The library's begin and end.
 *
 * Before cuInit() there is no thread and no state, so that a process may fork and each
 * child begin anew.  A child of a process that has begun answers NOT_INITIALIZED for
 * good, as the driver does.
 */
#include <pthread.h>
#include <stdlib.h>

#include <rill/sim.h>

#include "standin/abi/version.h"
#include "standin/code/kernel_libraries.h"
#include "standin/code/library.h"
#include "standin/code/link.h"
#include "standin/code/names.h"
#include "standin/context/current.h"
#include "standin/library/symbols.h"
#include "standin/stream/stream.h"
#include "standin/texture/array.h"
#include "standin/texture/mipmap.h"
#include "standin/texture/object.h"
#include "standin/texture/reference.h"

static struct rl_lock init_lock; /* held by the call that begins         */
static atomic_int forked;        /* true in a child of one that had begun */

ENTRY(cuDriverGetVersion, (int *version), (version))
{
    if (!version) return RILL_ERROR_INVALID_VALUE;
    *version = si_version();
    return RILL_SUCCESS;
}

/* ---- Begin ------------------------------------------------------------------------------ */

static void process_ends(void);

static void leave_to_parent(void)
{
    if (!atomic_load_explicit(&si_ready, memory_order_relaxed)) return;
    si_holders_forked();
    atomic_store_explicit(&forked, 1, memory_order_relaxed);
    atomic_store_explicit(&si_ready, 0, memory_order_relaxed);
}

/* A child of a process that had begun cannot begin, nor can a process that ends. */
static int may_begin(void)
{
    return !atomic_load_explicit(&forked, memory_order_relaxed) &&
           !atomic_load_explicit(&si_over, memory_order_relaxed);
}

/* Registers with the system what threads and the process do when they end. */
static CUresult begin_around_machine(void)
{
    CUresult status = si_holders_begin();
    if (!status) status = si_stacks_begin();
    if (!status && (pthread_atfork(NULL, NULL, leave_to_parent) || atexit(process_ends))) {
        si_stacks_end();
        status = RILL_ERROR_OUT_OF_MEMORY;
    }
    return status;
}

static CUresult begin_library(void)
{
    /* What ends with a context, in this order. */
    static si_take_fn *const kinds[] = { si_streams_take, si_events_take, si_modules_take,
                                         si_objects_take, si_references_take, si_mipmaps_take,
                                         si_arrays_take, NULL };
    CUresult status = si_machine_open();
    if (status) return status;
    si_contexts_begin(kinds);
    status = begin_around_machine();
    if (status)
        si_machine_close();
    else
        atomic_store_explicit(&si_ready, 1, memory_order_release);
    return status;
}

ENTRY(cuInit, (unsigned flags), (flags))
{
    if (flags) return RILL_ERROR_INVALID_VALUE;
    if (atomic_load_explicit(&si_ready, memory_order_acquire)) return RILL_SUCCESS;
    if (!may_begin()) return si_not_ready();
    rl_lock(&init_lock);
    int ready = atomic_load_explicit(&si_ready, memory_order_acquire);
    CUresult status = ready ? RILL_SUCCESS : begin_library();
    rl_unlock(&init_lock);
    return status;
}

/* ---- The end ----------------------------------------------------------------------------
 *
 * When the process ends, process_ends() runs first.  Other threads may be inside calls, so
 * nothing is freed, but no function of the program is called any more.  When the library
 * is unloaded, unload_library() runs first, and no thread may be using it.
 */

enum { PATIENCE_NS = 200000000 };

static void process_ends(void)
{
    if (!atomic_exchange(&si_ready, 0)) return;
    atomic_store(&si_over, 1);
    rill_sim_abandon(si_platform, PATIENCE_NS);
}

static void end_context(void *slot, void *object, void *data)
{
    (void)object, (void)data;
    si_context_close(slot);
}

/* Frees nothing if a thread is still inside a function of the program, which may need it. */
static void unload_machine(void)
{
    si_enter(); /* while there still is a holder to be had */
    if (!atomic_exchange(&si_ready, 0)) return;
    if (rill_sim_abandon(si_platform, 5 * (uint64_t)PATIENCE_NS)) return;
    si_handle_each(SI_CONTEXT, end_context, NULL);
    si_linkings_end();
    si_libraries_end();
    si_holders_end();
    si_machine_close();
    si_kernel_libraries_end();
    si_names_end();
    si_stacks_end();
    si_handles_unmap();
}

__attribute__((destructor)) static void unload_library(void)
{
    si_report_refused();
    unload_machine();
}
