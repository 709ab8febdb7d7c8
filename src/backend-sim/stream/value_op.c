/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing values into memory in stream order, and waiting for them (polled.h).
 */
#include <stdio.h>

#include "backend-sim/memory/memory.h"
#include "backend-sim/memory/views.h"
#include "backend-sim/scheduler/polled.h"
#include "backend-sim/stream/stream.h"
#include "backend-sim/stream/value_op.h"
#include "base/unseen.h"

/* Returns the value of a cell, which holds nothing else. */
static rill_value *cell_value(struct cell *cell)
{
    return cell_payload(cell);
}

/* ---- Writing ----------------------------------------------------------------- */

void sim_value_write(const rill_value *value)
{
    RL_BEFORE_UNSEEN();
    if (value->kind == RILL_VALUE_WRITE_32)
        atomic_store((_Atomic(uint32_t) *)(uintptr_t)value->address, (uint32_t)value->value);
    else if (value->kind == RILL_VALUE_WRITE_64)
        atomic_store((_Atomic(uint64_t) *)(uintptr_t)value->address, value->value);
}

static void write_run(struct strand *strand, struct cell *cell)
{
    (void)strand;
    sim_value_write(cell_value(cell));
}

static const char *write_name(const struct cell *cell)
{
    (void)cell;
    return "value write";
}

static const struct op_type value_write_op = {
    .kind = RILL_OP_VALUES, .run = write_run, .name = write_name,
};

/* ---- Waiting ----------------------------------------------------------------- */

static bool value_holds_32(uint32_t now, uint32_t wanted, uint32_t how)
{
    switch (how) {
    case RILL_WAIT_GEQ: return (int32_t)(now - wanted) >= 0;
    case RILL_WAIT_EQ: return now == wanted;
    case RILL_WAIT_AND: return now & wanted;
    default: return ~(now | wanted);
    }
}

static bool value_holds_64(uint64_t now, uint64_t wanted, uint32_t how)
{
    switch (how) {
    case RILL_WAIT_GEQ: return (int64_t)(now - wanted) >= 0;
    case RILL_WAIT_EQ: return now == wanted;
    case RILL_WAIT_AND: return now & wanted;
    default: return ~(now | wanted);
    }
}

/* Kernels, copies and fills may write the memory while a stream waits for it.  The load itself is
 * ordered after nothing, so a race checker must not see it; what comes after a wait that is over
 * is. */
RL_UNSEEN static uint64_t load_value(const rill_value *value)
{
    if (value->kind == RILL_VALUE_WAIT_32) return *(volatile uint32_t *)(uintptr_t)value->address;
    return *(volatile uint64_t *)(uintptr_t)value->address;
}

bool sim_value_holds(const rill_value *value, const rill_value *seen)
{
    uint64_t now = load_value(seen);
    bool over = value->kind == RILL_VALUE_WAIT_32
                    ? value_holds_32((uint32_t)now, (uint32_t)value->value, value->flags)
                    : value_holds_64(now, value->value, value->flags);
    if (!over) return false;
#ifdef RL_SEES_RACES
    RL_BEHIND_UNSEEN();
    __tsan_acquire((void *)(uintptr_t)value->address); /* where the program stores it */
#else
    atomic_thread_fence(memory_order_acquire);
#endif
    return true;
}

static size_t value_bytes(const rill_value *value)
{
    return value->kind == RILL_VALUE_WAIT_64 || value->kind == RILL_VALUE_WRITE_64 ? 8 : 4;
}

bool sim_value_is_there(struct sim_platform *platform, const rill_value *value)
{
    return sim_memory_holds(platform, value->address, value_bytes(value));
}

static bool wait_ready(struct strand *strand, struct cell *cell)
{
    const rill_value *value = cell_value(cell);
    return !sim_value_is_there(strand->engine->platform, value) || sim_value_holds(value, value);
}

static void wait_run(struct strand *strand, struct cell *cell)
{
    const rill_value *value = cell_value(cell);
    char message[SIM_FAULT_MAX];
    if (sim_value_is_there(strand->engine->platform, value)) return;
    snprintf(message, sizeof message,
             "a stream waited for a value at 0x%llx, in memory that was freed",
             (unsigned long long)value->address);
    sim_raise_in(strand, RILL_ERROR_ILLEGAL_ADDRESS, "value wait", message);
}

static const char *wait_name(const struct cell *cell)
{
    (void)cell;
    return "value wait";
}

static const char *condition_name(uint32_t how)
{
    switch (how) {
    case RILL_WAIT_GEQ: return "at least";
    case RILL_WAIT_EQ: return "equal to";
    case RILL_WAIT_AND: return "in its bits like";
    default: return "free of a bit of";
    }
}

void sim_value_describe(const rill_value *value, char *text, size_t bytes)
{
    snprintf(text, bytes, "the value at 0x%llx to be %s %llu (it is %llu)",
             (unsigned long long)value->address, condition_name(value->flags),
             (unsigned long long)value->value, (unsigned long long)load_value(value));
}

static void wait_waits_for(struct cell *cell, char *text, size_t bytes)
{
    sim_value_describe(cell_value(cell), text, bytes);
}

static rill_devptr wait_awaits(struct cell *cell)
{
    return cell_value(cell)->address;
}

static const struct op_type value_wait_op = {
    .kind = RILL_OP_VALUES, .ready = wait_ready, .park = sim_strand_park_polled, .run = wait_run,
    .name = wait_name, .waits_for = wait_waits_for, .awaits = wait_awaits,
};

/* ---- In memory that is mapped twice (views.h) ---------------------------------- */

static rill_value value_seen(const struct strand *strand, struct cell *cell)
{
    rill_value value = *cell_value(cell);
    value.address = sim_view_of(strand->engine->platform, value.address);
    return value;
}

static void write_seen_run(struct strand *strand, struct cell *cell)
{
    const rill_value value = value_seen(strand, cell);
    sim_value_write(&value);
}

static bool wait_seen_ready(struct strand *strand, struct cell *cell)
{
    const rill_value *value = cell_value(cell);
    const rill_value seen = value_seen(strand, cell);
    return !sim_value_is_there(strand->engine->platform, value) || sim_value_holds(value, &seen);
}

static const struct op_type value_write_seen_op = {
    .kind = RILL_OP_VALUES, .run = write_seen_run, .name = write_name,
};

static const struct op_type value_wait_seen_op = {
    .kind = RILL_OP_VALUES, .ready = wait_seen_ready, .park = sim_strand_park_polled,
    .run = wait_run, .name = wait_name, .waits_for = wait_waits_for, .awaits = wait_awaits,
};

/* ---- Submitting --------------------------------------------------------------- */

static rill_status refuse_value(const char *argument, const char *why, uint64_t number)
{
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument, "%s (0x%llx)", why,
                             (unsigned long long)number);
}

static rill_status check_flags(const rill_value *value)
{
    bool wait = sim_value_waits(value);
    if (wait && (value->flags & ~(uint32_t)(RILL_WAIT_NOR | RILL_WAIT_FLUSH)))
        return refuse_value("flags", "these are not flags of a wait", value->flags);
    if (wait && (value->flags & RILL_WAIT_FLUSH))
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "flags",
                                 "the device cannot flush remote writes");
    if (!wait && value->flags)
        return refuse_value("flags", "a write takes no flags on this device", value->flags);
    return RILL_SUCCESS;
}

/* Checks kind, flags and alignment, but not whether there is memory. */
static rill_status check_value(const rill_value *value)
{
    if (value->kind == RILL_VALUE_BARRIER && value->flags > 1)
        return refuse_value("flags", "a barrier is for the system (0) or for the device (1)",
                            value->flags);
    if (value->kind == RILL_VALUE_BARRIER) return RILL_SUCCESS;
    if (value->kind == RILL_VALUE_FLUSH_REMOTE_WRITES)
        return rill_backend_fail(RILL_ERROR_NOT_SUPPORTED, "kind",
                                 "the device cannot flush remote writes");
    if (!sim_value_waits(value) && !sim_value_writes(value))
        return refuse_value("kind", "this is no kind of value operation", (uint64_t)value->kind);
    rill_status status = check_flags(value);
    if (status) return status;
    size_t bytes = value_bytes(value);
    if (value->address % bytes)
        return refuse_value("address", bytes == 8 ? "the address must be a multiple of 8"
                                                  : "the address must be a multiple of 4",
                            value->address);
    return RILL_SUCCESS;
}

#define BATCH_MOST 255

rill_status sim_values_check(const rill_values_op *op)
{
    if (op->flags) return refuse_value("flags", "no flags are defined: pass 0", op->flags);
    if (op->count > BATCH_MOST)
        return refuse_value("count", "a batch holds at most 255 operations", op->count);
    if (op->count && !op->items)
        return rill_backend_fail(RILL_ERROR_INVALID_VALUE, "items", "the array is NULL");
    for (size_t i = 0; i < op->count; i++) {
        rill_status status = check_value(&op->items[i]);
        if (status) return status;
    }
    return RILL_SUCCESS;
}

/* Checks the memory; for a stream at submission, while for a graph it is checked when it runs. */
static rill_status check_memory(struct sim_context *context, const rill_value *value)
{
    if (value->kind == RILL_VALUE_BARRIER ||
        sim_memory_takes_values(context, value->address, value_bytes(value)))
        return RILL_SUCCESS;
    return refuse_value("address", "no memory is there that the stream's device can reach with "
                        "values; that of pools and graphs never is", value->address);
}

bool sim_value_submit(struct submission *submission, const rill_value *value)
{
    const struct op_type *type = sim_value_waits(value) ? &value_wait_op : &value_write_op;
    if (submission->strand->engine->platform->views)
        type = type == &value_wait_op ? &value_wait_seen_op : &value_write_seen_op;
    struct cell *cell = sim_submission_add(submission, type, sizeof *value);
    if (cell) *cell_value(cell) = *value;
    return cell;
}

rill_status sim_submit_values(struct sim_stream *stream, rill_op *op)
{
    const rill_values_op *values = &op->values;
    rill_status status = sim_values_check(values);
    for (size_t i = 0; !status && i < values->count; i++)
        status = check_memory(stream->context, &values->items[i]);
    if (status) return status;
    struct submission submission;
    status = sim_stream_begin(stream, &submission);
    if (status) return status;
    struct submission before = submission;
    struct queue_mark mark = sim_queue_mark(&submission.strand->queue);
    for (size_t i = 0; i < values->count; i++) {
        if (sim_value_submit(&submission, &values->items[i])) continue;
        sim_submission_revert(&submission, &before, mark);
        return sim_stream_abort(stream, &submission);
    }
    sim_stream_commit(stream, &submission);
    return RILL_SUCCESS;
}
