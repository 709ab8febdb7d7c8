/* SPDX-License-Identifier: Apache-2.0
 *
 * Events that several processes have.  They are two numbers in memory that the processes share: how
 * often the event was recorded, and the newest record that is done.  Each record takes the next
 * number, and a function in its stream tells when that is done; a wait is for the number that
 * was the newest when the wait was called.
 */
#include <rill/sim.h>

#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "standin/stream/event.h"

struct words {
    atomic_uint_least64_t recorded, done;
};

static struct words *words_at(CUdeviceptr address)
{
    return (struct words *)(uintptr_t)address;
}

/* ---- Records and waits ---------------------------------------------------------------------- */

struct record {
    struct words *words;
    uint64_t number;
};

static void tell_done(void *data)
{
    struct record *record = data;
    uint64_t done = atomic_load(&record->words->done);
    while (done < record->number &&
           !atomic_compare_exchange_weak(&record->words->done, &done, record->number)) {}
    rl_free(record);
}

CUresult si_shared_event_record(CUdeviceptr words, rill_stream *stream)
{
    rill_capture_info capture = { .size = sizeof capture };
    CUresult status = rill_stream_capture_info(stream, &capture);
    if (status || capture.state != RILL_CAPTURE_NONE) return status;
    struct record *record = rl_alloc(sizeof *record);
    if (!record) return RILL_ERROR_OUT_OF_MEMORY;
    record->words = words_at(words);
    record->number = atomic_fetch_add(&record->words->recorded, 1) + 1;
    status = rill_launch_host(stream, tell_done, record, NULL);
    if (status) tell_done(record);
    return status;
}

CUresult si_shared_event_wait(CUdeviceptr words, rill_stream *stream)
{
    struct words *of = words_at(words);
    const uint64_t number = atomic_load(&of->recorded);
    if (atomic_load(&of->done) >= number) return RILL_SUCCESS;
    CUresult status = rill_stream_wait_value64(stream, words + offsetof(struct words, done),
                                               number, RILL_WAIT_GEQ);
    /* The stream is of a device that has no access to that of the event. */
    return status == RILL_ERROR_INVALID_VALUE ? RILL_ERROR_NOT_SUPPORTED : status;
}

CUresult si_shared_event_query(CUdeviceptr words)
{
    struct words *of = words_at(words);
    const uint64_t number = atomic_load(&of->recorded);
    return atomic_load(&of->done) >= number ? RILL_SUCCESS : RILL_ERROR_NOT_READY;
}

/* Nobody wakes a thread when another process has done something. */
CUresult si_shared_event_synchronize(CUdeviceptr words)
{
    struct words *of = words_at(words);
    const struct timespec pause = { .tv_nsec = 50000 };
    const uint64_t number = atomic_load(&of->recorded);
    while (atomic_load(&of->done) < number) nanosleep(&pause, NULL);
    return RILL_SUCCESS;
}

/* ---- Handles -------------------------------------------------------------------------------- */

/* A handle of an event is that of its words, told apart from one of memory. */
static void mark_handle(rill_sim_shared *shared)
{
    shared->bytes[0] ^= 0xee;
}

/* Has an event have words.  Waits for all work, so that what was recorded before is done. */
static CUresult make_words(rill_context *context, struct si_event_slot *event)
{
    static struct rl_lock lock; /* one thread makes them */
    CUdeviceptr words = 0;
    CUresult status = RILL_SUCCESS;
    rl_lock(&lock);
    if (!atomic_load(&event->words)) {
        rill_sim_shared shared;
        status = rill_mem_alloc(context, sizeof(struct words), &words);
        if (!status) memset(words_at(words), 0, sizeof(struct words));
        if (!status) status = rill_sim_share(context, words, &shared);
        if (!status) atomic_store(&event->words, words);
        else if (words) rill_mem_free(context, words);
    }
    rl_unlock(&lock);
    return status;
}

ENTRY(cuIpcGetEventHandle, (CUipcEventHandle *handle, CUevent event), (handle, event))
{
    rill_context *context;
    rill_event *found;
    rill_sim_shared shared;
    struct si_event_slot *slot = (struct si_event_slot *)(void *)event;
    CUresult status = si_here(&context);
    if (!status && (!handle || !event)) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = si_event(event, &found);
    if (status) return status;
    if (!(slot->flags & CU_EVENT_INTERPROCESS) || slot->opened) return RILL_ERROR_INVALID_HANDLE;
    status = make_words(context, slot);
    if (!status) status = rill_sim_share(context, si_event_words(event), &shared);
    if (status) return status;
    mark_handle(&shared);
    memcpy(handle, &shared, sizeof shared);
    return RILL_SUCCESS;
}

ENTRY(cuIpcOpenEventHandle, (CUevent *event, CUipcEventHandle handle), (event, handle))
{
    struct si_context *current;
    rill_sim_shared shared;
    rill_event *made = NULL;
    CUdeviceptr words = 0;
    const rill_event_options options = { .size = sizeof options,
                                         .flags = RILL_EVENT_INTERPROCESS };
    CUresult status = si_current(&current);
    if (status) return status;
    if (!event) return RILL_ERROR_INVALID_VALUE;
    rill_context *context = atomic_load_explicit(&current->slot.object, memory_order_acquire);
    memcpy(&shared, &handle, sizeof shared);
    mark_handle(&shared);
    status = rill_sim_open_shared(context, &shared, &words);
    if (status == RILL_ERROR_INVALID_VALUE) status = RILL_ERROR_MAP_FAILED; /* as an H100 */
    if (!status) status = rill_event_create(context, &options, &made);
    return status ? status
                  : si_event_publish(current, made, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING,
                                     words, true, event);
}
