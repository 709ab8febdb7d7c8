/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/kernel/children.h"

#include <string.h>

#include "backend-sim/kernel/heap.h"
#include "backend-sim/kernel/ptx_host.h"
#include "base/alloc.h"

/* Statuses of CUDA's runtime that the driver has not, or by another number. */
enum { INVALID_CONFIGURATION = 9, INVALID_FUNCTION = 98 };

/* ---- Lists ------------------------------------------------------------------------------- */

static void append(struct child_list *list, struct child *child)
{
    child->next = NULL;
    if (list->last) list->last->next = child;
    else list->first = child;
    list->last = child;
}

void sim_child_append(struct children *children, struct child *child, uint64_t stream)
{
    append(stream == PTX_TAIL_LAUNCH ? &children->tails : &children->launched, child);
}

struct child *sim_child_take(struct child_list *list)
{
    struct child *child = list->first;
    if (!child) return NULL;
    list->first = child->next;
    if (!list->first) list->last = NULL;
    return child;
}

/* Takes the one with these parameters out: mostly the first, since threads launch in the order in
 * which they prepared. */
static struct child *take_prepared(struct child_list *list, uint64_t parameters)
{
    struct child *before = NULL, *child = list->first;
    for (; child && child->parameters != parameters; child = child->next) before = child;
    if (!child) return NULL;
    if (!before) return sim_child_take(list);
    before->next = child->next;
    if (list->last == child) list->last = before;
    return child;
}

static void move_before(struct child_list *list, struct child_list *all)
{
    if (!list->first) return;
    list->last->next = all->first;
    if (!all->last) all->last = list->last;
    all->first = list->first;
}

/* ---- Statuses ---------------------------------------------------------------------------- */

struct thread_status {
    struct thread_status *next;
    struct ptx_child_thread thread;
    uint32_t status;
};

/* Many threads of a grid may fail in the same way. */
#define STATUS_LISTS_LOG 12
#define STATUS_LISTS (1u << STATUS_LISTS_LOG)

/* Returns where the status of a thread is, or belongs; NULL if there are no lists yet. */
static struct thread_status **find_status(struct children *children,
                                          const struct ptx_child_thread *thread)
{
    if (!children->statuses) return NULL;
    const uint32_t *block = thread->block, *at_block = thread->thread;
    uint32_t number = ((block[2] * 31 + block[1]) * 31 + block[0]) * 1024 +
                      (at_block[2] * 31 + at_block[1]) * 31 + at_block[0];
    /* The product's top bits depend on all of the number, its lowest ones on few. */
    const uint32_t list = number * UINT32_C(2654435761) >> (32 - STATUS_LISTS_LOG);
    struct thread_status **at = &children->statuses[list];
    while (*at && memcmp(&(*at)->thread, thread, sizeof *thread)) at = &(*at)->next;
    return at;
}

/* Returns the status.  Requires the lock. */
static uint32_t keep_status(struct children *children, const struct ptx_child_thread *thread,
                            uint32_t status)
{
    if (!status) return 0;
    if (!children->statuses)
        children->statuses = rl_zalloc(STATUS_LISTS * sizeof(struct thread_status *));
    struct thread_status **at = find_status(children, thread);
    if (at && !*at) *at = rl_zalloc(sizeof **at);
    if (at && *at) {
        (*at)->thread = *thread;
        (*at)->status = status;
    }
    return status;
}

static void note_status(void *data, const struct ptx_child_thread *thread, uint32_t status)
{
    struct children *children = &((struct kernel_host *)data)->children;
    rl_lock(&children->lock);
    keep_status(children, thread, status);
    rl_unlock(&children->lock);
}

static uint32_t tell_status(void *data, const struct ptx_child_thread *thread, bool forget)
{
    struct children *children = &((struct kernel_host *)data)->children;
    rl_lock(&children->lock);
    struct thread_status **at = find_status(children, thread), *found = at ? *at : NULL;
    uint32_t status = found ? found->status : 0;
    if (found && forget) {
        *at = found->next;
        rl_free(found);
    }
    rl_unlock(&children->lock);
    return status;
}

static void free_statuses(struct children *children)
{
    for (uint32_t i = 0; children->statuses && i < STATUS_LISTS; i++)
        for (struct thread_status *status = children->statuses[i], *next; status; status = next) {
            next = status->next;
            rl_free(status);
        }
    rl_free(children->statuses);
}

/* ---- Preparing --------------------------------------------------------------------------- */

static struct sim_function *find_function(struct sim_code *code, const char *name)
{
    for (size_t i = 0; name && i < code->count; i++)
        if (!strcmp(code->functions[i].name, name)) return &code->functions[i];
    return NULL;
}

/* Returns 0 if such a launch is possible.  Memory is reserved for it, as for one of the host. */
static uint32_t check_child(const struct kernel_host *host, const struct child *child)
{
    const rill_kernel_op op = {
        .grid = child->grid, .block = child->block, .shared_bytes = child->shared,
        .buffer = child, .buffer_bytes = child->function->buffer_bytes, /* nobody looks there */
    };
    if (child->function->unsupported || !child->function->ptx) return RILL_ERROR_NOT_SUPPORTED;
    rill_status status = sim_kernel_check(&op, child->function, RILL_ERROR_INVALID_VALUE);
    if (!status) status = sim_kernel_reserve_for(&op, child->function, host->platform);
    return status == RILL_ERROR_INVALID_VALUE ? INVALID_CONFIGURATION : (uint32_t)status;
}

static uint32_t make_child(struct kernel_host *host, const struct ptx_child *asked,
                           struct child **made)
{
    struct sim_function *function = find_function(host->function->code, asked->kernel);
    struct child *child;
    if (!function) return INVALID_FUNCTION;
    *made = child = rl_zalloc(sizeof *child + function->stored_bytes);
    if (!child) return RILL_ERROR_OUT_OF_MEMORY;
    child->function = function;
    child->grid = (rill_dim3){ asked->grid[0], asked->grid[1], asked->grid[2] };
    child->block = (rill_dim3){ asked->block[0], asked->block[1], asked->block[2] };
    child->shared = asked->shared;
    uint32_t status = check_child(host, child);
    if (status) return status;
    const uint64_t bytes = function->buffer_bytes ? function->buffer_bytes : 1;
    child->parameters = sim_kernel_heap_alloc(function->code, bytes);
    return child->parameters ? 0 : RILL_ERROR_OUT_OF_MEMORY;
}

static struct ptx_child_buffer prepare(void *data, const struct ptx_child_thread *thread,
                                       const struct ptx_child *asked)
{
    struct kernel_host *host = data;
    struct children *children = &host->children;
    struct child *child = NULL;
    uint32_t status = make_child(host, asked, &child);
    rl_lock(&children->lock);
    keep_status(children, thread, status);
    if (!status) append(&children->prepared, child);
    rl_unlock(&children->lock);
    if (!status)
        return (struct ptx_child_buffer){ child->parameters, child->function->buffer_bytes };
    rl_free(child);
    return (struct ptx_child_buffer){ 0, 0 };
}

/* ---- Launching --------------------------------------------------------------------------- */

/* Copies the arguments, whose memory is free then.  Returns false if the kernel has freed it. */
static bool take_arguments(struct kernel_host *host, struct child *child)
{
    const struct sim_function *function = child->function;
    const uint64_t freed = sim_kernel_heap_take(host->platform, child->parameters,
                                                child->arguments, function->buffer_bytes);
    if (!freed) return false;
    sim_kernel_host_freed(host, child->parameters, freed);
    sim_kernel_copy_bound(child->arguments, function);
    return true;
}

static uint32_t launch(void *data, const struct ptx_child_thread *thread, uint64_t parameters,
                       uint64_t stream)
{
    struct kernel_host *host = data;
    struct children *children = &host->children;
    rl_lock(&children->lock);
    struct child *child = take_prepared(&children->prepared, parameters);
    const bool taken = child && take_arguments(host, child);
    if (child && !taken) {
        rl_free(child);
    } else if (child) {
        sim_child_append(children, child, stream);
    }
    uint32_t status = keep_status(children, thread, taken ? 0 : RILL_ERROR_INVALID_VALUE);
    rl_unlock(&children->lock);
    return status;
}

/* ---- Questions --------------------------------------------------------------------------- */

static uint32_t tell_device(void *data)
{
    return (uint32_t)((struct kernel_host *)data)->function->code->device->ordinal;
}

static uint32_t count_devices(void *data)
{
    return (uint32_t)((struct kernel_host *)data)->platform->device_count;
}

/* The simulator knows no attributes by their numbers: the program says what they are. */
static uint32_t tell_attribute(void *data, int device, int attribute, int *value)
{
    const struct sim_platform *platform = ((struct kernel_host *)data)->platform;
    if (!platform->attribute) return RILL_ERROR_NOT_SUPPORTED;
    return (uint32_t)platform->attribute(platform->attribute_data, device, attribute, value);
}

/* ---- The end of their grid --------------------------------------------------------------- */

void sim_children_end(struct kernel_host *host, struct child_list *pending)
{
    struct children *children = &host->children;
    struct child *child;
    while ((child = sim_child_take(&children->prepared))) {
        const uint64_t freed = sim_kernel_heap_free(host->platform, child->parameters);
        sim_kernel_host_freed(host, child->parameters, freed);
        rl_free(child);
    }
    free_statuses(children);
    move_before(&children->tails, pending);
    move_before(&children->launched, pending);
}

const struct ptx_children sim_ptx_children = {
    .prepare = prepare, .launch = launch, .submit = sim_child_submit, .note = note_status,
    .status = tell_status, .device = tell_device, .device_count = count_devices,
    .attribute = tell_attribute,
};
