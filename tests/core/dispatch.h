/* SPDX-License-Identifier: Apache-2.0
 *
 * Tests of all public calls: what the rules say, and how a call is made and looked at.
 */
#ifndef DISPATCH_H
#define DISPATCH_H

#include "support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "core/object/error.h"
#include "core/registry/contract.h"
#include "support/calls.h"
#include "support/fake/fake.h"
#include "support/shim_backend.h"

static struct fake_tables fake; /* behind the shim */

/* The worlds, all open for the length of the program. */
static struct world home, peer; /* two contexts of one platform          */
static struct world abroad;     /* on another platform                   */
static struct world ruin;       /* on the platform of home, but its context is destroyed */

static struct arguments good; /* untouched; tests work on copies */

/* ---- What the rules say ---------------------------------------------------- */

/* In the words of <rill/backend.h>'s readers, not of core/object.c. */
static inline rill_status when_null(int kind)
{
    switch (kind) {
    case RILL_OBJECT_PLATFORM: return RILL_ERROR_NOT_INITIALIZED;
    case RILL_OBJECT_CONTEXT: return RILL_ERROR_INVALID_CONTEXT;
    case RILL_OBJECT_STREAM:
    case RILL_OBJECT_EVENT:
    case RILL_OBJECT_MODULE:
    case RILL_OBJECT_KERNEL: return RILL_ERROR_INVALID_HANDLE;
    default: return RILL_ERROR_INVALID_VALUE; /* pools, graphs, execs, nodes, pointers */
    }
}

static inline rill_status when_wrong(int kind)
{
    switch (kind) {
    case RILL_OBJECT_PLATFORM: return RILL_ERROR_NOT_INITIALIZED;
    case RILL_OBJECT_CONTEXT: return RILL_ERROR_INVALID_CONTEXT;
    default: return RILL_ERROR_INVALID_HANDLE;
    }
}

static inline int is_handle(const struct role *role)
{
    return role->kind >= 1 && role->kind <= RILL_OBJECT_KINDS;
}

static inline int in_context(int kind)
{
    return kind != RILL_OBJECT_GRAPH && kind != RILL_OBJECT_PLATFORM && kind != RILL_OBJECT_POOL &&
           kind != RILL_OBJECT_USER_OBJECT;
}

/* ---- Making a call and looking at it --------------------------------------- */

static inline int all_filled(const unsigned char *bytes)
{
    for (size_t i = 0; i < OUT_BYTES; i++)
        if (bytes[i] != OUT_FILL) return 0;
    return 1;
}

static inline void fill_outputs(void)
{
    memset(good.out, OUT_FILL, OUT_BYTES);
    memset(good.more_out, OUT_FILL, OUT_BYTES);
}

/* The calls with an output that is written when they fail: *graph, which is NULL then. */
static inline int ends_capture(const struct call *call)
{
    return !strcmp(call->name, "rill_stream_end_capture") || !strcmp(call->name, "rill_capture");
}

/* `given`: of the arguments that the call was made with; a NULL output cannot be written. */
static inline void expect_outputs_untouched(const struct call *call, const void *given,
                                            const char *what)
{
    if (given && ends_capture(call)) {
        static const rill_graph *const none;
        if (memcmp(given, &none, sizeof none))
            fail_msg("%s, %s: *graph is not NULL", call->name, what);
        memset(good.out, OUT_FILL, sizeof none);
    }
    if (!all_filled(good.out) || !all_filled(good.more_out))
        fail_msg("%s, %s: an output was written", call->name, what);
}

static inline void expect_record(const struct call *call, const char *what, rill_status status,
                                 const char *argument)
{
    const rill_error *error = rill_last_error();
    if (error->status != status)
        fail_msg("%s, %s: the record says %d", call->name, what, (int)error->status);
    if (!error->operation || strcmp(error->operation, call->name))
        fail_msg("%s, %s: the record names %s", call->name, what, error->operation);
    if (!argument != !error->argument || (argument && strcmp(error->argument, argument)))
        fail_msg("%s, %s: the record blames %s, not %s", call->name, what,
             error->argument ? error->argument : "nothing", argument ? argument : "nothing");
    if (strlen(error->message) < 10) fail_msg("%s, %s: no sentence", call->name, what);
    if (argument && !strstr(error->message, argument))
        fail_msg("%s, %s: '%s' does not name %s", call->name, what, error->message, argument);
}

/* The record names what the call was made on, if that was in order. */
static inline void expect_object(const struct call *call, const char *what, const void *object)
{
    char expected[RILL_LABEL_MAX];
    rl_describe(object, expected);
    if (!expected[0] || strcmp(expected, rill_last_error()->object))
        fail_msg("%s, %s: the record names '%s', not '%s'", call->name, what,
                 rill_last_error()->object, expected);
}

/* The call is refused by the core: nothing is written, no slot is reached. */
static inline void expect_refusal(const struct call *call, struct arguments *a, const char *what,
                                  rill_status status, const char *argument)
{
    void *on = *role_place(a, &call->roles[0]);
    fill_outputs();
    rill_clear_error();
    shim_forget();
    rill_status got = call->make(a);
    if (got != status)
        fail_msg("%s, %s: %d instead of %d", call->name, what, (int)got, (int)status);
    expect_record(call, what, status, argument);
    if (on == *role_place(&good, &call->roles[0])) expect_object(call, what, on);
    if (shim_last()) fail_msg("%s, %s: reached %s", call->name, what, shim_last());
    expect_outputs_untouched(call, a->out, what);
}

static inline void *handle_in(const struct world *world, int kind)
{
    switch (kind) {
    case RILL_OBJECT_PLATFORM: return world->platform;
    case RILL_OBJECT_CONTEXT: return world->context;
    case RILL_OBJECT_STREAM: return world->stream;
    case RILL_OBJECT_EVENT: return world->event;
    case RILL_OBJECT_MODULE: return world->module;
    case RILL_OBJECT_KERNEL: return world->kernel;
    case RILL_OBJECT_POOL: return world->pool;
    case RILL_OBJECT_GRAPH: return world->graph;
    case RILL_OBJECT_EXEC: return world->exec;
    case RILL_OBJECT_USER_OBJECT: return world->object;
    case RILL_OBJECT_REPLAY: return world->replay;
    }
    return NULL;
}

#define FOR_EACH_CALL(call) \
    for (const struct call *call = calls; call < calls + call_count; call++)
#define FOR_EACH_ROLE(role, call) \
    for (const struct role *role = (call)->roles; \
         role < (call)->roles + ROLES_MAX && role->name; role++)

/* ---- Good arguments -------------------------------------------------------- */

static inline rill_status make_good(const struct call *call, struct arguments *a)
{
    *a = good;
    if (call->before) call->before(a);
    fill_outputs();
    if (!strcmp(call->name, "rill_thread_exchange_capture_mode")) call->before(a);
    shim_forget();
    return call->make(a);
}

static inline void good_arguments_reach_the_slot(void **state)
{
    (void)state;
    struct arguments a;
    FOR_EACH_CALL(call) {
        rill_status status = make_good(call, &a);
        if (status) fail_msg("%s: %d, %s", call->name, (int)status, rill_last_error()->message);
        const char *slot = shim_last();
        if (!call->slot != !slot || (slot && strcmp(slot, call->slot)))
            fail_msg("%s: reached %s instead of %s", call->name, slot ? slot : "no slot",
                 call->slot ? call->slot : "no slot");
        if (call->after) call->after(&a);
    }
}

/* ---- Bad arguments --------------------------------------------------------- */

/* A destroyed object, as long as its memory is there. */
static struct world gone;

static inline void mark_gone(unsigned mark)
{
    for (int kind = 1; kind <= RILL_OBJECT_KINDS; kind++) {
        struct rill_object *object = handle_in(&gone, kind);
        object->tag = mark << 24 | (object->tag & 0xffffff);
    }
}

static inline void *destroyed_object(int kind)
{
    return handle_in(&gone, kind);
}

/* ---- Setting up ------------------------------------------------------------ */

static inline int open_worlds(void **state)
{
    (void)state;
    if (rill_backend_register(shim_backend(fake_build(&fake, "full", FAKE_ALL), "shim"))) return -1;
    if (world_open(&home, "shim") || world_fill(&peer, home.platform)) return -1;
    if (world_open(&abroad, "shim") || world_fill(&ruin, home.platform)) return -1;
    if (world_open(&gone, "shim")) return -1;
    mark_gone(RL_MARK_DEAD);
    rill_context *doomed = ruin.context;
    if (rill_context_destroy(&doomed)) return -1;
    arguments_init(&good, &home, &peer);
    return 0;
}

static inline int close_worlds(void **state)
{
    (void)state;
    ruin.context = NULL;
    mark_gone(RL_MARK_LIVE);
    if (world_close(&gone)) return -1;
    int failed = world_empty(&ruin) || world_empty(&peer) || world_close(&home);
    return failed || world_close(&abroad) ? -1 : 0;
}

#endif
