/* SPDX-License-Identifier: Apache-2.0
 *
 * Every public call, and what a backend answers: failures are passed on, slots may lack,
 * objects end all the same.
 */
#include "core/dispatch.h"

/* ---- The backend's answer -------------------------------------------------- */

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
            expect_outputs_untouched(call, a.out, "a failure");
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

/* ---- The calls that end an object ------------------------------------------ */

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
    assert_ptr_equal(at, object); /* a refused call changes nothing */
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

/* ---- Answers that are not statuses ----------------------------------------- */

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
        if (bad[i] == home.platform) continue;
        rill_set_data((void *)(uintptr_t)bad[i], &home, NULL);
        assert_null(rill_data(bad[i]));
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

/* ---- A forked child -------------------------------------------------------- */

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
                    at == handle_in(&home, endings[i].kind);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
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
