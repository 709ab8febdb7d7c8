/* SPDX-License-Identifier: Apache-2.0
 *
 * What every public call does around its slot: which bad arguments it refuses,
 * and how, and what it makes of the backend's answer.  The calls are the list
 * in support/call_list.h; a test here proves that the list is complete.
 */
#include "support/cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "core/contract.h"
#include "core/error.h"
#include "support/calls.h"
#include "support/full_backend.h"
#include "support/shim_backend.h"

/* The worlds, all open for the length of the program. */
static struct world home, peer; /* two contexts of one platform          */
static struct world abroad;     /* on another platform                   */
static struct world ruin;       /* on the platform of home, but its context is destroyed */

static struct arguments good; /* untouched; tests work on copies */

/* ---- What the rules say ------------------------------------------------- */

/* In the words of <rill/backend.h>'s readers, not of core/object.c. */
static rill_status when_null(int kind)
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

static rill_status when_wrong(int kind)
{
    switch (kind) {
    case RILL_OBJECT_PLATFORM: return RILL_ERROR_NOT_INITIALIZED;
    case RILL_OBJECT_CONTEXT: return RILL_ERROR_INVALID_CONTEXT;
    default: return RILL_ERROR_INVALID_HANDLE;
    }
}

static int is_handle(const struct role *role)
{
    return role->kind >= 1 && role->kind <= RILL_OBJECT_KINDS;
}

static int in_context(int kind)
{
    return kind != RILL_OBJECT_PLATFORM && kind != RILL_OBJECT_POOL &&
           kind != RILL_OBJECT_USER_OBJECT;
}

/* ---- Making a call and looking at it ------------------------------------ */

static int all_filled(const unsigned char *bytes)
{
    for (size_t i = 0; i < OUT_BYTES; i++)
        if (bytes[i] != OUT_FILL) return 0;
    return 1;
}

static void fill_outputs(void)
{
    memset(good.out, OUT_FILL, OUT_BYTES);
    memset(good.more_out, OUT_FILL, OUT_BYTES);
}

/* The calls with an output that is written when they fail: *graph. */
static int ends_capture(const struct call *call)
{
    return !strcmp(call->name, "rill_stream_end_capture") || !strcmp(call->name, "rill_capture");
}

static void expect_outputs_untouched(const struct call *call, const char *what)
{
    if (ends_capture(call)) {
        unsigned char *out = good.out;
        for (size_t i = 0; i < sizeof(rill_graph *); i++)
            if (out[i] && out[i] != OUT_FILL)
                fail_msg("%s, %s: *graph is not NULL", call->name, what);
        return;
    }
    if (!all_filled(good.out) || !all_filled(good.more_out))
        fail_msg("%s, %s: an output was written", call->name, what);
}

static void expect_record(const struct call *call, const char *what, rill_status status,
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
static void expect_object(const struct call *call, const char *what, const void *object)
{
    char expected[RILL_LABEL_MAX];
    rl_describe(object, expected);
    if (!expected[0] || strcmp(expected, rill_last_error()->object))
        fail_msg("%s, %s: the record names '%s', not '%s'", call->name, what,
                 rill_last_error()->object, expected);
}

/* The call is refused by the core: nothing is written, no slot is reached. */
static void expect_refusal(const struct call *call, struct arguments *a, const char *what,
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
    expect_outputs_untouched(call, what);
}

static void *handle_in(const struct world *world, int kind)
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

/* ---- The list is complete ----------------------------------------------- */

/* Calls that are tested by name elsewhere, or belong to no object. */
static const char *const elsewhere[] = {
    "rill_version", "rill_error_name", "rill_error_string", "rill_error_is_sticky",
    "rill_last_error", "rill_clear_error", "rill_open", "rill_close", "rill_backend_name",
    "rill_backend_register", "rill_backend_own", "rill_backend_disown", "rill_backend_fail",
    "rill_backend_fail_cause", "rill_backend_fail_told", "rill_backend_check",
    "rill_backend_finish",
    "rill_capture_restore", "rill_replay_step",
    /* in this file */
    "rill_context_status", "rill_context_destroy", "rill_stream_destroy", "rill_event_destroy",
    "rill_module_unload", "rill_pool_destroy", "rill_graph_destroy", "rill_exec_destroy",
    "rill_user_object_release", "rill_context_label", "rill_stream_label", "rill_event_label",
    "rill_pool_label", "rill_graph_label", "rill_exec_label", "rill_kernel_name",
    "rill_replay_destroy", "rill_replay_label",
};

static int is_listed(const char *name)
{
    FOR_EACH_CALL(call)
        if (!strcmp(call->name, name)) return 1;
    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++)
        if (!strcmp(elsewhere[i], name)) return 1;
    return !strncmp(name, "rill_sim_", 9);
}

static FILE *open_header(const char *name)
{
    char path[4096];
    const char *source = getenv("srcdir");
    snprintf(path, sizeof path, "%s/include/rill/%s", source ? source : ".", name);
    FILE *file = fopen(path, "r");
    if (!file) fail_msg("%s is not there; set srcdir to the top of the sources", path);
    return file;
}

/* The name before the first parenthesis of a declaration. */
static int declared_name(const char *line, char *name, size_t bytes)
{
    const char *end = strchr(line, '('), *start;
    if (strncmp(line, "RILL_API", 8) || !end) return 0;
    for (start = end; start > line && start[-1] != ' ' && start[-1] != '*';) start--;
    snprintf(name, bytes, "%.*s", (int)(end - start), start);
    return 1;
}

static void every_declared_call_is_listed(void **state)
{
    static const char *const headers[] = {
        "backend.h", "capture.h", "error.h", "event.h", "exec.h", "graph.h", "memory.h", "module.h",
        "op.h", "platform.h", "pool.h", "replay.h", "rill.h", "sim.h", "status.h", "stream.h",
        "types.h",
    };
    (void)state;
    size_t found = 0;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        FILE *file = open_header(headers[i]);
        char line[512], name[128];
        while (fgets(line, sizeof line, file)) {
            if (!declared_name(line, name, sizeof name)) continue;
            found++;
            if (!is_listed(name)) fail_msg("%s is in no list of this test", name);
        }
        fclose(file);
    }
    assert_true(found > call_count);
}

/* ---- Good arguments ----------------------------------------------------- */

static rill_status make_good(const struct call *call, struct arguments *a)
{
    *a = good;
    if (call->before) call->before(a);
    fill_outputs();
    if (!strcmp(call->name, "rill_thread_exchange_capture_mode")) call->before(a);
    shim_forget();
    return call->make(a);
}

static void good_arguments_reach_the_slot(void **state)
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

/* ---- Bad arguments ------------------------------------------------------ */

static void null_is_refused(void **state)
{
    (void)state;
    FOR_EACH_CALL(call)
        FOR_EACH_ROLE(role, call) {
            struct arguments a = good;
            *role_place(&a, role) = NULL;
            expect_refusal(call, &a, "NULL", when_null(role->kind), role->name);
        }
}

static void another_kind_is_refused(void **state)
{
    (void)state;
    FOR_EACH_CALL(call)
        FOR_EACH_ROLE(role, call) {
            if (!is_handle(role)) continue;
            for (int kind = 1; kind <= RILL_OBJECT_KINDS; kind++) {
                struct arguments a = good;
                if (kind == role->kind) continue;
                *role_place(&a, role) = handle_in(&home, kind);
                expect_refusal(call, &a, "another kind", when_wrong(role->kind), role->name);
            }
        }
}

static void what_is_no_handle_is_refused(void **state)
{
    (void)state;
    static const uint64_t nothing[16];
    static const uint64_t noise[16] = { 0x0123456789abcdefu, 7 };
    FOR_EACH_CALL(call)
        FOR_EACH_ROLE(role, call) {
            if (!is_handle(role)) continue;
            struct arguments a = good;
            *role_place(&a, role) = (void *)(uintptr_t)nothing;
            expect_refusal(call, &a, "zeroes", when_wrong(role->kind), role->name);
            *role_place(&a, role) = (void *)(uintptr_t)noise;
            expect_refusal(call, &a, "noise", when_wrong(role->kind), role->name);
        }
}

static void another_platform_is_refused(void **state)
{
    (void)state;
    int tried = 0;
    FOR_EACH_CALL(call)
        for (const struct role *role = call->roles + 1; role < call->roles + ROLES_MAX; role++) {
            if (!role->name || !is_handle(role)) continue;
            struct arguments a = good;
            *role_place(&a, role) = handle_in(&abroad, role->kind);
            expect_refusal(call, &a, "another platform",
                           role->kind == RILL_OBJECT_CONTEXT ? RILL_ERROR_INVALID_CONTEXT
                                                             : RILL_ERROR_INVALID_HANDLE,
                           role->name);
            tried++;
        }
    assert_true(tried > 10);
}

/* A destroyed object, as long as its memory is there. */
static struct world gone;

static void mark_gone(unsigned mark)
{
    for (int kind = 1; kind <= RILL_OBJECT_KINDS; kind++) {
        struct rill_object *object = handle_in(&gone, kind);
        object->tag = mark << 24 | (object->tag & 0xffffff);
    }
}

static void *destroyed_object(int kind)
{
    return handle_in(&gone, kind);
}

static void destroyed_handles_are_refused(void **state)
{
    (void)state;
    FOR_EACH_CALL(call)
        FOR_EACH_ROLE(role, call) {
            if (!is_handle(role)) continue;
            struct arguments a = good;
            *role_place(&a, role) = destroyed_object(role->kind);
            expect_refusal(call, &a, "destroyed",
                           role->kind == RILL_OBJECT_CONTEXT ? RILL_ERROR_CONTEXT_IS_DESTROYED
                                                             : when_wrong(role->kind),
                           role->name);
        }
}

static void objects_of_a_destroyed_context_are_refused(void **state)
{
    (void)state;
    FOR_EACH_CALL(call)
        FOR_EACH_ROLE(role, call) {
            if (!is_handle(role) || !in_context(role->kind)) continue;
            struct arguments a = good;
            *role_place(&a, role) = handle_in(&ruin, role->kind);
            expect_refusal(call, &a, "destroyed context", RILL_ERROR_CONTEXT_IS_DESTROYED,
                           role->name);
        }
}

/* ---- The backend's answer ----------------------------------------------- */

static void failures_are_passed_on(void **state)
{
    (void)state;
    FOR_EACH_CALL(call) {
        if (!call->slot) continue;
        struct arguments a = good;
        if (call->before) call->before(&a);
        fill_outputs();
        rill_clear_error();
        shim_fail(call->slot, 1, RILL_ERROR_TIMEOUT);
        rill_status status = call->make(&a);
        shim_fail("", 0, RILL_SUCCESS);
        if (status != RILL_ERROR_TIMEOUT) fail_msg("%s: %d", call->name, (int)status);
        expect_record(call, "a failure", RILL_ERROR_TIMEOUT, NULL);
        if (!strstr(rill_last_error()->message, call->slot))
            fail_msg("%s: '%s' are not the backend's words", call->name,
                     rill_last_error()->message);
        expect_object(call, "a failure", *role_place(&a, &call->roles[0]));
        if (strcmp(call->name, "rill_thread_exchange_capture_mode"))
            expect_outputs_untouched(call, "a failure");
        if (!strcmp(call->name, "rill_host_free")) rill_host_free(a.w.context, a.host);
        if (!strcmp(call->name, "rill_graph_remove_node"))
            rill_graph_remove_node(a.w.graph, a.extra_node);
        if (!strcmp(call->name, "rill_graph_release_user_object"))
            rill_graph_release_user_object(a.w.graph, a.w.object, 1);
    }
}

/* NOT_READY is an answer: no record. */
static void not_ready_leaves_no_record(void **state)
{
    (void)state;
    rill_clear_error();
    shim_fail("backend->stream->query", 1, RILL_ERROR_NOT_READY);
    assert_int_equal(rill_stream_query(home.stream), RILL_ERROR_NOT_READY);
    shim_fail("backend->event->query", 1, RILL_ERROR_NOT_READY);
    assert_int_equal(rill_event_query(home.event), RILL_ERROR_NOT_READY);
    shim_fail("", 0, RILL_SUCCESS);
    assert_int_equal(rill_last_error()->status, RILL_SUCCESS);
}

static const struct rl_table *table_with(const char *slot, int *optional)
{
    for (size_t i = 0; i < rl_table_count; i++)
        for (size_t j = 0; j < rl_tables[i].slot_count; j++)
            if (!strcmp(rl_tables[i].slots[j].name, slot)) {
                *optional = rl_tables[i].slots[j].optional;
                return &rl_tables[i];
            }
    fail_msg("%s is in no table", slot);
    return NULL;
}

/* Objects of this kind are there only where the table is. */
static int comes_with(int kind, const char *table)
{
    switch (kind) {
    case RILL_OBJECT_POOL: return !strcmp(table, "backend->pool");
    case RILL_OBJECT_GRAPH:
    case RILL_OBJECT_USER_OBJECT: return !strcmp(table, "backend->graph");
    case RILL_OBJECT_EXEC: return !strcmp(table, "backend->exec");
    default: return 0;
    }
}

static void expect_not_supported(const struct call *call, const char *lacking)
{
    struct arguments a = good;
    shim_lack(lacking);
    expect_refusal(call, &a, lacking, RILL_ERROR_NOT_SUPPORTED, NULL);
    shim_restore();
    const char *message = rill_last_error()->message;
    if (!strstr(message, "shim") || !strstr(message, call->name))
        fail_msg("%s without %s: '%s'", call->name, lacking, message);
}

static void lacking_slots_are_not_supported(void **state)
{
    (void)state;
    int slots = 0, tables = 0;
    FOR_EACH_CALL(call) {
        int optional = 0;
        if (!call->slot || !strcmp(call->slot, "backend->supports")) continue;
        const struct rl_table *table = table_with(call->slot, &optional);
        if (optional) {
            expect_not_supported(call, call->slot);
            slots++;
        }
        if (table->in_backend.optional &&
            !comes_with(call->roles[0].kind, table->in_backend.name)) {
            expect_not_supported(call, table->in_backend.name);
            tables++;
        }
    }
    rill_user_object *object = home.object; /* an ending, not in the list */
    shim_lack("backend->graph->user_object_release");
    assert_int_equal(rill_user_object_release(&object, 1), RILL_ERROR_NOT_SUPPORTED);
    shim_restore();
    assert_ptr_equal(object, home.object);
    assert_true(slots > 25);
    assert_true(tables > 10);
}

/* ---- The calls that end an object --------------------------------------- */

typedef void *handle;

#define END(name, type) \
    static rill_status end_##name(handle *at) { return name((type **)(void *)at); }
END(rill_context_destroy, rill_context)
END(rill_stream_destroy, rill_stream)
END(rill_event_destroy, rill_event)
END(rill_module_unload, rill_module)
END(rill_pool_destroy, rill_pool)
END(rill_graph_destroy, rill_graph)
END(rill_exec_destroy, rill_exec)
END(rill_replay_destroy, rill_replay)
END(rill_close, rill_platform)

static rill_status end_rill_user_object_release(handle *at)
{
    return rill_user_object_release((rill_user_object **)(void *)at, 1);
}

static const struct ending {
    const char *name, *argument, *slot;
    int kind;
    rill_status (*end)(handle *at);
} endings[] = {
    { "rill_context_destroy", "context", "backend->context->destroy",
      RILL_OBJECT_CONTEXT, end_rill_context_destroy },
    { "rill_stream_destroy", "stream", "backend->stream->destroy",
      RILL_OBJECT_STREAM, end_rill_stream_destroy },
    { "rill_event_destroy", "event", "backend->event->destroy",
      RILL_OBJECT_EVENT, end_rill_event_destroy },
    { "rill_module_unload", "module", "backend->module->unload",
      RILL_OBJECT_MODULE, end_rill_module_unload },
    { "rill_pool_destroy", "pool", "backend->pool->destroy",
      RILL_OBJECT_POOL, end_rill_pool_destroy },
    { "rill_graph_destroy", "graph", "backend->graph->destroy",
      RILL_OBJECT_GRAPH, end_rill_graph_destroy },
    { "rill_exec_destroy", "exec", "backend->exec->destroy",
      RILL_OBJECT_EXEC, end_rill_exec_destroy },
    { "rill_replay_destroy", "replay", NULL, RILL_OBJECT_REPLAY, end_rill_replay_destroy },
    { "rill_close", "platform", NULL, RILL_OBJECT_PLATFORM, end_rill_close },
    { "rill_user_object_release", "object", "backend->graph->user_object_release",
      RILL_OBJECT_USER_OBJECT, end_rill_user_object_release },
};
#define ENDINGS (sizeof endings / sizeof *endings)

static void expect_end_refused(const struct ending *ending, void *object, rill_status status)
{
    handle at = object;
    rill_clear_error();
    shim_forget();
    assert_int_equal(ending->end(&at), status);
    const struct call as_call = { .name = ending->name };
    expect_record(&as_call, "an ending", status, ending->argument);
    assert_null(shim_last());
    char described[RILL_LABEL_MAX];
    rl_describe(object, described);
    assert_string_equal(rill_last_error()->object, described);
    if (ending->kind != RILL_OBJECT_USER_OBJECT) assert_null(at); /* release may keep it */
}

static void ending_nothing_is_fine(void **state)
{
    (void)state;
    rill_clear_error();
    for (size_t i = 0; i < ENDINGS; i++) {
        handle at = NULL;
        assert_int_equal(endings[i].end(NULL), RILL_SUCCESS);
        assert_int_equal(endings[i].end(&at), RILL_SUCCESS);
    }
    assert_int_equal(rill_last_error()->status, RILL_SUCCESS);
}

static void ending_what_is_wrong_is_refused(void **state)
{
    (void)state;
    static uint64_t nothing[16];
    for (size_t i = 0; i < ENDINGS; i++) {
        int kind = endings[i].kind;
        for (int other = 1; other <= RILL_OBJECT_KINDS; other++)
            if (other != kind)
                expect_end_refused(&endings[i], handle_in(&home, other), when_wrong(kind));
        expect_end_refused(&endings[i], nothing, when_wrong(kind));
        expect_end_refused(&endings[i], destroyed_object(kind),
                           kind == RILL_OBJECT_CONTEXT ? RILL_ERROR_CONTEXT_IS_DESTROYED
                                                       : when_wrong(kind));
    }
}

/* A destroy that reports a failure has given its object back all the same. */
static void failing_ends_still_end(void **state)
{
    (void)state;
    struct world w;
    char object[RILL_LABEL_MAX];
    long live = rl_alloc_live();
    assert_int_equal(world_open(&w, "shim"), RILL_SUCCESS);
    rill_user_object_release(&w.object, 2);
    rill_replay_destroy(&w.replay);
    for (size_t i = ENDINGS; i-- > 0;) {
        handle at = handle_in(&w, endings[i].kind);
        if (!endings[i].slot || !at) continue;
        rl_describe(at, object);
        shim_fail(endings[i].slot, 1, RILL_ERROR_TIMEOUT);
        assert_int_equal(endings[i].end(&at), RILL_ERROR_TIMEOUT);
        assert_null(at);
        assert_string_equal(rill_last_error()->operation, endings[i].name);
        assert_string_equal(rill_last_error()->object, object);
        shim_fail("", 0, RILL_SUCCESS);
    }
    assert_int_equal(rill_close(&w.platform), RILL_SUCCESS);
    assert_int_equal(rl_alloc_live(), live);
}

/* ---- Answers that are not statuses -------------------------------------- */

static void getters_of_bad_handles_answer_nothing(void **state)
{
    (void)state;
    rill_clear_error();
    const void *const bad[] = { NULL, home.platform, destroyed_object(RILL_OBJECT_STREAM) };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_null(rill_context_label(bad[i]));
        assert_null(rill_stream_label(bad[i]));
        assert_null(rill_event_label(bad[i]));
        assert_null(rill_pool_label(bad[i]));
        assert_null(rill_graph_label(bad[i]));
        assert_null(rill_exec_label(bad[i]));
        assert_null(rill_replay_label(bad[i]));
        assert_null(rill_kernel_name(bad[i]));
    }
    assert_null(rill_kernel_name(ruin.kernel));
    assert_string_equal(rill_kernel_name(home.kernel), "count");
    assert_non_null(rill_stream_legacy(home.context));
    assert_non_null(rill_stream_per_thread(home.context));
    assert_int_equal(rill_last_error()->status, RILL_SUCCESS);
}

static void a_contexts_status_leaves_no_record(void **state)
{
    (void)state;
    rill_clear_error();
    assert_int_equal(rill_context_status(NULL), RILL_ERROR_INVALID_CONTEXT);
    assert_int_equal(rill_context_status((rill_context *)home.stream), RILL_ERROR_INVALID_CONTEXT);
    assert_int_equal(rill_context_status(ruin.context), RILL_ERROR_CONTEXT_IS_DESTROYED);
    assert_int_equal(rill_context_status(home.context), RILL_SUCCESS);
    shim_fail("backend->context->status", 1, RILL_ERROR_LAUNCH_FAILED);
    assert_int_equal(rill_context_status(home.context), RILL_ERROR_LAUNCH_FAILED);
    shim_fail("", 0, RILL_SUCCESS);
    assert_int_equal(rill_last_error()->status, RILL_SUCCESS);
    assert_int_equal(rl_noted, 0);
}

/* ---- A forked child ----------------------------------------------------- */

/* In the child: the number of calls that did not answer as they should. */
static int child_of_fork(void)
{
    int wrong = 0;
    long live = rl_alloc_live();
    FOR_EACH_CALL(call) {
        struct arguments a = good;
        fill_outputs();
        rill_clear_error();
        shim_forget();
        const rill_error *error = rill_last_error();
        int right = call->make(&a) == RILL_ERROR_NOT_INITIALIZED &&
                    error->status == RILL_ERROR_NOT_INITIALIZED && error->operation &&
                    !strcmp(error->operation, call->name) && error->argument &&
                    !strcmp(error->argument, call->roles[0].name) &&
                    strstr(error->message, "fork") && !shim_last();
        if (!right) fprintf(stderr, "in a child, %s: %s\n", call->name, error->message);
        wrong += !right;
    }
    for (size_t i = 0; i < ENDINGS; i++) {
        handle at = handle_in(&home, endings[i].kind);
        int right = endings[i].end(&at) == RILL_ERROR_NOT_INITIALIZED && !shim_last() &&
                    (!at || endings[i].kind == RILL_OBJECT_USER_OBJECT);
        if (!right) fprintf(stderr, "in a child, %s\n", endings[i].name);
        wrong += !right;
    }
    wrong += rl_alloc_live() != live;
    wrong += rill_context_status(home.context) != RILL_ERROR_NOT_INITIALIZED;
    /* A platform of the child's own is as good as any. */
    struct world own;
    wrong += world_open(&own, "shim") != RILL_SUCCESS;
    wrong += rill_stream_query(own.stream) != RILL_SUCCESS;
    wrong += rill_event_record(own.event, home.stream, 0) != RILL_ERROR_NOT_INITIALIZED;
    wrong += world_close(&own) != RILL_SUCCESS;
    return wrong;
}

static void a_forked_child_is_told(void **state)
{
    (void)state;
    int ended = 0;
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child) _exit(child_of_fork() > 0);
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 0);
    assert_int_equal(rill_stream_query(home.stream), RILL_SUCCESS); /* the parent goes on */
}

/* ---- Setting up --------------------------------------------------------- */

static int open_worlds(void **state)
{
    (void)state;
    if (rill_backend_register(shim_backend(full_backend(), "shim"))) return -1;
    if (world_open(&home, "shim") || world_fill(&peer, home.platform)) return -1;
    if (world_open(&abroad, "shim") || world_fill(&ruin, home.platform)) return -1;
    if (world_open(&gone, "shim")) return -1;
    mark_gone(RL_MARK_DEAD);
    rill_context *doomed = ruin.context;
    if (rill_context_destroy(&doomed)) return -1;
    arguments_init(&good, &home, &peer);
    return 0;
}

static int close_worlds(void **state)
{
    (void)state;
    ruin.context = NULL;
    mark_gone(RL_MARK_LIVE);
    if (world_close(&gone)) return -1;
    int failed = world_empty(&ruin) || world_empty(&peer) || world_close(&home);
    return failed || world_close(&abroad) ? -1 : 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_declared_call_is_listed),
        cmocka_unit_test(good_arguments_reach_the_slot),
        cmocka_unit_test(null_is_refused),
        cmocka_unit_test(another_kind_is_refused),
        cmocka_unit_test(what_is_no_handle_is_refused),
        cmocka_unit_test(another_platform_is_refused),
        cmocka_unit_test(destroyed_handles_are_refused),
        cmocka_unit_test(objects_of_a_destroyed_context_are_refused),
        cmocka_unit_test(failures_are_passed_on),
        cmocka_unit_test(not_ready_leaves_no_record),
        cmocka_unit_test(lacking_slots_are_not_supported),
        cmocka_unit_test(ending_nothing_is_fine),
        cmocka_unit_test(ending_what_is_wrong_is_refused),
        cmocka_unit_test(failing_ends_still_end),
        cmocka_unit_test(getters_of_bad_handles_answer_nothing),
        cmocka_unit_test(a_contexts_status_leaves_no_record),
        cmocka_unit_test(a_forked_child_is_told),
        /* Again: nothing of the above has done any harm. */
        cmocka_unit_test(good_arguments_reach_the_slot),
    };
    return cmocka_run_group_tests(tests, open_worlds, close_worlds);
}
