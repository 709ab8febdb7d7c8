/* SPDX-License-Identifier: Apache-2.0
 *
 * Every public call with good arguments and with each that is wrong, from the list in
 * support/call_list.h; a test here proves that the list is complete.
 */
#include "core/dispatch.h"

/* ---- The list is complete -------------------------------------------------- */

/* Calls that are tested by name elsewhere, or belong to no object. */
static const char *const elsewhere[] = {
    "rill_version", "rill_error_name", "rill_error_string", "rill_error_is_sticky",
    "rill_last_error", "rill_clear_error", "rill_error_print", "rill_error_format",
    "rill_update_reason_name", "rill_update_reason_string", "rill_replay_outcome_name",
    "rill_open", "rill_close", "rill_backend_name",
    "rill_backend_register", "rill_backend_own", "rill_backend_disown", "rill_backend_fail",
    "rill_backend_fail_cause", "rill_backend_fail_told", "rill_backend_check",
    "rill_backend_finish", "rill_backend_give",
    "rill_capture_restore", "rill_replay_step",
    /* in test_dispatch_answers.c, for each kind of object */
    "rill_context_status", "rill_context_destroy", "rill_stream_destroy", "rill_event_destroy",
    "rill_module_unload", "rill_pool_destroy", "rill_graph_destroy", "rill_exec_destroy",
    "rill_user_object_release", "rill_context_label", "rill_stream_label", "rill_event_label",
    "rill_pool_label", "rill_graph_label", "rill_exec_label", "rill_kernel_name",
    "rill_replay_destroy", "rill_replay_label",
    "rill_data", "rill_set_data",
};

#define ELSEWHERE (sizeof elsewhere / sizeof *elsewhere)

static int is_listed(const char *name, int declared[ELSEWHERE])
{
    FOR_EACH_CALL(call)
        if (!strcmp(call->name, name)) return 1;
    for (size_t i = 0; i < ELSEWHERE; i++)
        if (!strcmp(elsewhere[i], name)) return declared[i] = 1;
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
        "types.h", "vmem.h",
    };
    (void)state;
    int declared[ELSEWHERE] = { 0 };
    size_t found = 0;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        FILE *file = open_header(headers[i]);
        char line[512], name[128];
        while (fgets(line, sizeof line, file)) {
            if (!declared_name(line, name, sizeof name)) continue;
            found++;
            if (!is_listed(name, declared)) fail_msg("%s is in no list of this test", name);
        }
        fclose(file);
    }
    assert_true(found > call_count);
    for (size_t i = 0; i < ELSEWHERE; i++)
        if (!declared[i]) fail_msg("there is no %s any more", elsewhere[i]);
}

/* ---- Bad arguments --------------------------------------------------------- */

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
    };
    return cmocka_run_group_tests(tests, open_worlds, close_worlds);
}
