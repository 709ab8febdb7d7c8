/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory: what is allocated and freed at once, and copies and fills that the host waits for.
 */
#include <string.h>

#include "layer-check/access/changes.h"
#include "layer-check/access/rows.h"
#include "site/site.h"
#include "layer-check/slots/checker.h"
#include "layer-check/slots/flags.h"
#include "layer-check/slots/pinned.h"
#include "layer-check/slots/waits.h"
#include "layer-check/slots/who.h"

/* ---- Allocations --------------------------------------------------------------------------- */

static struct ck_log_entry *note_block(struct ck_checker *checker, const struct ck_block *block)
{
    return ck_changes_add(&checker->log, &checker->order, block);
}

/* Notes an allocation: managed memory with flags, else 0. */
static void note_allocation(rill_context *context, const struct range *range,
                            enum ck_block_kind kind, uint32_t flags, const void *site)
{
    struct ck_checker *checker = ck_enter(context);
    if (!checker) return;
    struct ck_log_entry *entry =
        note_block(checker, &(struct ck_block){ .range = *range, .kind = kind,
                                                .device = ck_device_of(context), .made = site });
    if (entry && checker->managed) entry->attachment.flags = flags;
    if (kind != CK_BLOCK_REGISTERED) ck_values_forget(&checker->values, range->base, range->bytes);
    if (kind == CK_BLOCK_PINNED || kind == CK_BLOCK_MANAGED)
        ck_pinned_add(checker, context, (void *)(uintptr_t)range->base, range->bytes, flags);
    ck_leave(checker);
}

static void note_new(rill_context *context, uint64_t base, uint64_t bytes, enum ck_block_kind kind,
                     const void *site)
{
    note_allocation(context, &(struct range){ .base = base, .bytes = bytes }, kind, 0, site);
}

/* Notes that a call begins to free memory: one allocation, or all of a range that has bytes.  A
 * free that is promised to wait for the work of a context, as that of device memory is, comes after
 * that; others must come after all that uses the memory.  Returns NULL if nothing is checked. */
static struct ck_log_entry *note_free(const void *object, const struct range *range,
                                      rill_context *waits, const void *site)
{
    struct ck_checker *checker = ck_enter(object);
    if (!checker) return NULL;
    struct ck_log_entry *entry =
        ck_changes_begin_free(&checker->log, &checker->order, range, site);
    struct ck_context_word *word = entry && waits ? ck_context_word(waits) : NULL;
    if (word) ck_work_wait(&checker->order, entry->work, &word->order);
    ck_leave(checker);
    return entry;
}

/* Notes that the call has ended. */
static void note_freed(const void *object, struct ck_log_entry *entry, bool freed)
{
    struct ck_checker *checker = entry ? ck_enter(object) : NULL;
    if (!checker) return;
    ck_changes_end_free(entry, freed);
    ck_leave(checker);
}

static rill_status check_acquire(rill_context *context, size_t bytes, rill_devptr *address)
{
    const void *site = cs_site_here();
    rill_status status = ck_beneath(context)->memory->acquire(context, bytes, address);
    if (!status) note_new(context, *address, bytes, CK_BLOCK_DEVICE, site);
    else ck_capture_mind(context, status, site, "rill_mem_alloc");
    return status;
}

static rill_status check_acquire_pitch(rill_context *context, size_t width, size_t height,
                                       uint32_t element_bytes, rill_devptr *address, size_t *pitch)
{
    const void *site = cs_site_here();
    rill_status status = ck_beneath(context)->memory->acquire_pitch(context, width, height,
                                                                    element_bytes, address, pitch);
    if (!status) note_new(context, *address, *pitch * height, CK_BLOCK_DEVICE, site);
    else ck_capture_mind(context, status, site, "rill_mem_alloc_pitch");
    return status;
}

static rill_status check_acquire_managed(rill_context *context, size_t bytes, uint32_t flags,
                                         rill_devptr *address)
{
    const void *site = cs_site_here();
    rill_status status = ck_beneath(context)->memory->acquire_managed(context, bytes, flags,
                                                                      address);
    const struct range range = { .base = status ? 0 : *address, .bytes = bytes };
    if (!status) note_allocation(context, &range, CK_BLOCK_MANAGED, flags, site);
    else ck_capture_mind(context, status, site, "rill_mem_alloc_managed");
    return status;
}

/* Returns the context whose work a free of device memory waits for.  Returns NULL for memory of a
 * pool or of a graph, whose free waits for nothing. */
static rill_context *context_of(rill_context *context, rill_devptr address)
{
    rill_pointer_info info = ck_pointer_info(context, address);
    return info.known && info.kind == RILL_MEMORY_DEVICE ? info.context : NULL;
}

/* Looks behind an allocation that was just freed. */
static void look_behind(rill_context *context, rill_devptr base, const void *site)
{
    uint64_t broken = ck_redzones_broken(&ck_checker_of(context)->redzones, base);
    struct ck_checker *checker = broken ? ck_enter(context) : NULL;
    if (!checker) return;
    const struct ck_block *block = ck_memory_find(&checker->memory, base);
    const struct ck_what what = { .host = true, .name = "the host", .site = site };
    if (block &&
        !ck_redzones_tell(&checker->verdicts, block, broken, &what, checker->order.serial))
        checker->order.failed = true;
    ck_leave(checker);
}

/* Each mapping is an allocation; several may be unmapped at once. */
static rill_status check_map(rill_platform *platform, rill_devptr address, size_t bytes,
                             rill_vmem_handle handle)
{
    const void *site = cs_site_here();
    const struct rill_vmem_ops *vmem = ck_beneath(platform)->vmem;
    rill_vmem_options options = { .size = sizeof options };
    rill_status status = vmem->map(platform, address, bytes, handle);
    if (status || vmem->get_options(platform, handle, &options)) return status;
    struct ck_checker *checker = ck_enter(platform);
    if (!checker) return status;
    note_block(checker, &(struct ck_block){ .range = { .base = address, .bytes = bytes },
                                            .kind = CK_BLOCK_DEVICE, .mapped = true,
                                            .device = options.device, .made = site });
    ck_leave(checker);
    return status;
}

static rill_status check_unmap(rill_platform *platform, rill_devptr address, size_t bytes)
{
    const void *site = cs_site_here();
    const struct range range = { .base = address, .bytes = bytes };
    struct ck_log_entry *freeing = note_free(platform, &range, NULL, site);
    rill_status status = ck_beneath(platform)->vmem->unmap(platform, address, bytes);
    note_freed(platform, freeing, !status);
    return status;
}

/* Also where checking has stopped, since the memory is nobody's afterwards. */
static struct ck_pinned *begin_free(struct ck_checker *checker, void *pointer)
{
    if (!pointer) return NULL;
    ck_lock(checker);
    struct ck_pinned *pinned = ck_pinned_set_aside(checker, pointer);
    rl_unlock(&checker->lock);
    return pinned;
}

static void end_free(struct ck_checker *checker, struct ck_pinned *pinned, bool freed)
{
    if (!pinned) return;
    ck_lock(checker);
    if (freed) ck_pinned_forget(checker, pinned);
    else ck_pinned_put_back(checker, pinned);
    rl_unlock(&checker->lock);
}

static rill_status check_release(rill_context *context, rill_devptr address)
{
    const void *site = cs_site_here();
    struct ck_checker *checker = ck_checker_of(context);
    rill_context *waits = context_of(context, address);
    const struct range range = { .base = address };
    struct ck_log_entry *freeing = note_free(context, &range, waits, site);
    struct ck_pinned *managed = begin_free(checker, (void *)(uintptr_t)address);
    rill_status status = ck_beneath(context)->memory->release(context, address);
    end_free(checker, managed, !status);
    note_freed(context, freeing, !status);
    if (status) ck_capture_mind(context, status, site, "rill_mem_free");
    if (!status) look_behind(context, address, site);
    return status;
}

static rill_status check_host_alloc(rill_context *context, size_t bytes, uint32_t flags,
                                    void **pointer)
{
    const void *site = cs_site_here();
    rill_status status = ck_beneath(context)->memory->host_alloc(context, bytes, flags, pointer);
    if (!status) note_new(context, (uintptr_t)*pointer, bytes, CK_BLOCK_PINNED, site);
    else ck_capture_mind(context, status, site, "rill_host_alloc");
    return status;
}

static rill_status check_host_free(rill_context *context, void *pointer)
{
    const void *site = cs_site_here();
    struct ck_checker *checker = ck_checker_of(context);
    const struct range range = { .base = (uintptr_t)pointer };
    struct ck_log_entry *freeing = note_free(context, &range, NULL, site);
    struct ck_pinned *pinned = begin_free(checker, pointer);
    rill_status status = ck_beneath(context)->memory->host_free(context, pointer);
    end_free(checker, pinned, !status);
    note_freed(context, freeing, !status);
    if (status) ck_capture_mind(context, status, site, "rill_host_free");
    if (!status) look_behind(context, (uintptr_t)pointer, site);
    return status;
}

static rill_status check_host_register(rill_context *context, void *pointer, size_t bytes,
                                       uint32_t flags)
{
    const void *site = cs_site_here();
    rill_status status = ck_beneath(context)->memory->host_register(context, pointer, bytes,
                                                                    flags);
    if (!status) note_new(context, (uintptr_t)pointer, bytes, CK_BLOCK_REGISTERED, site);
    else ck_capture_mind(context, status, site, "rill_host_register");
    return status;
}

static rill_status check_host_unregister(rill_context *context, void *pointer)
{
    const void *site = cs_site_here();
    const struct range range = { .base = (uintptr_t)pointer };
    struct ck_log_entry *freeing = note_free(context, &range, NULL, site);
    rill_status status = ck_beneath(context)->memory->host_unregister(context, pointer);
    note_freed(context, freeing, !status);
    if (status) ck_capture_mind(context, status, site, "rill_host_unregister");
    return status;
}

void ck_look_behind(struct ck_checker *checker)
{
    if (!ck_enter(checker->platform)) return;
    if (!ck_redzones_look(&checker->redzones, &checker->memory, &checker->verdicts,
                          checker->order.serial))
        checker->order.failed = true;
    ck_leave(checker);
}

/* ---- Copies and fills that the host waits for ---------------------------------------------- */

/* Returns the legacy stream of a context, or NULL if memory is short. */
static struct ck_stream *legacy_of(struct ck_checker *checker, rill_context *context)
{
    struct ck_context_word *word = ck_context_word(context);
    if (word && !word->legacy) word->legacy = checker->beneath->stream->legacy(context);
    return word && word->legacy ? ck_stream_here(checker, word->legacy) : NULL;
}

/* Adds a copy or fill to the legacy stream of the context.  A copy between two contexts is in the
 * order of the legacy streams of both. */
static struct ck_work *add_run(struct ck_checker *checker, rill_context *context,
                               const rill_op *op, const struct ck_what *what)
{
    struct ck_stream *stream = legacy_of(checker, context), *others[2] = { NULL, NULL };
    rill_context *const ends[2] = {
        op->kind == RILL_OP_MEMCPY ? op->memcpy.dst.context : NULL,
        op->kind == RILL_OP_MEMCPY ? op->memcpy.src.context : NULL,
    };
    for (int i = 0; stream && i < 2; i++) {
        if (!ends[i] || ends[i] == context || !(others[i] = legacy_of(checker, ends[i]))) continue;
        ck_stream_follow_stream(&checker->order, stream, others[i]);
    }
    struct ck_work *work = stream ? ck_stream_add(&checker->order, stream, what, false) : NULL;
    for (int i = 0; work && i < 2; i++)
        if (others[i]) ck_stream_follow_stream(&checker->order, others[i], stream);
    return work;
}

static rill_status check_run(rill_context *context, const rill_op *op)
{
    struct ck_row_list rows;
    enum ck_waits waits = ck_waits_of_call(context, op);
    const struct ck_what what = { .kind = op->kind, .site = cs_site_here(),
                                  .returns_early = waits != CK_WAITS_DONE };
    rill_status status = ck_beneath(context)->memory->run(context, op);
    struct ck_checker *checker = status ? NULL : ck_enter(context);
    if (!checker) {
        ck_capture_mind(context, status, what.site,
                        op->kind == RILL_OP_MEMSET ? "rill_memset" : "rill_memcpy");
        return status;
    }
    struct ck_work *work = add_run(checker, context, op, &what);
    struct ck_log_entry *entry = work ? ck_log_add(&checker->log, work, checker->order.host) : NULL;
    ck_row_list_init(&rows);
    ck_rows_of_op(&rows, checker->beneath, op);
    struct ck_rows *to = entry && !rows.failed ? ck_log_add_rows(entry, 0, 0, rows.count) : NULL;
    if (to) {
        memcpy(to->items, rows.items, rows.count * sizeof *rows.items);
        entry->pending = 0;
        ck_flags_written(checker, &(struct ck_step){ .work = work }, rows.items, rows.count);
        ck_waits_learn(checker, work, waits);
    } else {
        checker->order.failed = true;
    }
    ck_row_list_fini(&rows);
    ck_work_release(work);
    ck_leave(checker);
    return status;
}

const struct rill_memory_ops ck_memory_slots = {
    .acquire = check_acquire, .acquire_pitch = check_acquire_pitch,
    .acquire_managed = check_acquire_managed, .release = check_release,
    .host_alloc = check_host_alloc, .host_free = check_host_free,
    .host_register = check_host_register, .host_unregister = check_host_unregister,
    .run = check_run,
};

const struct rill_vmem_ops ck_vmem_slots = {
    .map = check_map, .unmap = check_unmap,
};
