/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-tsan/fiber/fiber.h"

#include <stdatomic.h>
#include <stddef.h>

#include "base/stack.h"
#include "base/tsan.h"

/* Memory that is not touched costs nothing. */
#define STACK_BYTES ((size_t)8 << 20)

/* Of the calling thread, or of the fiber that it is in. */
static _Thread_local uint64_t line_here; /* 0: it has none yet */
static _Thread_local unsigned hidden;    /* how often          */

/* ---- Lines -------------------------------------------------------------------------------- */

static atomic_uint_least64_t lines;

uint64_t ts_line_new(void)
{
    return atomic_fetch_add_explicit(&lines, 1, memory_order_relaxed) + 1;
}

uint64_t ts_line_here(void)
{
    if (!line_here) line_here = ts_line_new();
    return line_here;
}

/* ---- What is hidden ----------------------------------------------------------------------- */

void ts_hide(void)
{
    if (!hidden++) __tsan_ignore_thread_begin();
}

void ts_show(void)
{
    if (!--hidden) __tsan_ignore_thread_end();
}

void ts_run_shown(void (*function)(void *data), void *data)
{
    unsigned before = hidden;
    if (before) __tsan_ignore_thread_end();
    hidden = 0;
    function(data);
    hidden = before;
    if (before) __tsan_ignore_thread_begin();
}

/* ---- Fibers ------------------------------------------------------------------------------- */

void ts_root_init(struct ts_root *root)
{
    *root = (struct ts_root){ .fiber = __tsan_create_fiber(0) };
}

void ts_root_fini(struct ts_root *root)
{
    if (root->fiber) __tsan_destroy_fiber(root->fiber);
    root->fiber = NULL;
}

static void *create_fiber(struct ts_root *root)
{
    void *home = __tsan_get_current_fiber();
    rl_lock(&root->lock);
    __tsan_switch_to_fiber(root->fiber, RL_TSAN_NO_ORDER);
    void *fiber = __tsan_create_fiber(0);
    __tsan_switch_to_fiber(home, RL_TSAN_NO_ORDER);
    rl_unlock(&root->lock);
    return fiber;
}

struct stay {
    const struct ts_fiber *fiber;
    void (*function)(void *data);
    void *data;
};

static void stay_in_fiber(void *data)
{
    const struct stay *stay = data;
    const uint64_t line_before = line_here;
    const unsigned hidden_before = hidden;
    void *home = __tsan_get_current_fiber(), *fiber = create_fiber(stay->fiber->root);
    if (stay->fiber->name) __tsan_set_fiber_name(fiber, stay->fiber->name);
    __tsan_switch_to_fiber(fiber, RL_TSAN_NO_ORDER);
    line_here = 0;
    hidden = 0;
    if (stay->fiber->site) __tsan_func_entry((void *)(uintptr_t)stay->fiber->site);
    stay->function(stay->data);
    if (stay->fiber->site) __tsan_func_exit();
    line_here = line_before;
    hidden = hidden_before;
    __tsan_switch_to_fiber(home, RL_TSAN_NO_ORDER);
    __tsan_destroy_fiber(fiber);
}

void ts_fiber_run(const struct ts_fiber *fiber, void (*function)(void *data), void *data)
{
    struct stay stay = { fiber, function, data };
    ts_hide(); /* the stack that is allocated */
    if (!fiber->own_stack || !rl_on_own_stack(STACK_BYTES, stay_in_fiber, &stay))
        stay_in_fiber(&stay);
    ts_show();
}
