/* SPDX-License-Identifier: Apache-2.0
 *
 * The list of the groups, and the run of all of them.
 */
#include "conformance/suite.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/fixture.h"

/* One line each, sorted; SUITE_GROUP() in the file of that name defines it. */
#define GROUPS(group) \
    group(across_devices) \
    group(attachments) \
    group(box_limits) \
    group(callbacks) \
    group(capture_begin) \
    group(capture_broken) \
    group(capture_causes) \
    group(capture_forks) \
    group(capture_graphs) \
    group(capture_legacy) \
    group(capture_modes) \
    group(capture_operations) \
    group(capture_pools) \
    group(capture_ports) \
    group(capture_threads) \
    group(captured_functions) \
    group(conditional_runs) \
    group(context_end) \
    group(contexts) \
    group(copies) \
    group(copy_boxes) \
    group(copy_waits) \
    group(default_streams) \
    group(device_memory) \
    group(device_nodes) \
    group(devices) \
    group(errors) \
    group(event_times) \
    group(event_waits) \
    group(events) \
    group(exec_copies) \
    group(exec_nodes) \
    group(exec_orders) \
    group(exec_running) \
    group(exec_shapes) \
    group(exec_switches) \
    group(exec_updates) \
    group(execs) \
    group(faults) \
    group(faults_across_devices) \
    group(faults_queued) \
    group(fills) \
    group(forks) \
    group(graph_child_sets) \
    group(graph_children) \
    group(graph_clones) \
    group(graph_edges) \
    group(graph_memory) \
    group(graph_memory_frees) \
    group(graph_memory_life) \
    group(graph_memory_nodes) \
    group(graph_runs) \
    group(graph_text) \
    group(graphs) \
    group(host_data) \
    group(host_function_calls) \
    group(host_functions) \
    group(inside_graphs) \
    group(inside_host_functions) \
    group(kernels) \
    group(launch_attributes) \
    group(launches) \
    group(legacy_stream) \
    group(modules) \
    group(node_attributes) \
    group(node_conditionals) \
    group(node_copies) \
    group(node_events) \
    group(node_kernels) \
    group(node_runs) \
    group(node_values) \
    group(peer_copies) \
    group(peer_memory) \
    group(per_thread_streams) \
    group(pinned_memory) \
    group(pitched_memory) \
    group(pointers) \
    group(pool_release) \
    group(pool_reuse) \
    group(pools) \
    group(replays) \
    group(statuses) \
    group(stream_attributes) \
    group(stream_memory) \
    group(stream_order) \
    group(stream_waits) \
    group(streams) \
    group(threads) \
    group(threads_and_events) \
    group(user_objects) \
    group(value_waits) \
    group(value_writes)

#define DECLARE(name) extern const struct suite_group name##_group;
GROUPS(DECLARE)

#define ADDRESS(name) &name##_group,
static const struct suite_group *const groups[] = { GROUPS(ADDRESS) };
#define GROUP_COUNT (sizeof groups / sizeof *groups)

/* A test with its group: what its setup is given. */
struct planned {
    const struct suite_group *group;
    const char *name;
};

/* ---- One test ----------------------------------------------------------------- */

/* What hangs in spite of everything: says which test it was. */
#define TEST_SECONDS 120

static const char *volatile running;

static void hangs(int signal)
{
    static const char start[] = "Bail out! this hangs: ";
    const char *name = running;
    (void)signal;
    bool said = write(1, start, sizeof start - 1) > 0 && write(1, name, strlen(name)) > 0 &&
                write(1, "\n", 1) > 0;
    _exit(said ? 1 : 2);
}

static int setup(void **state)
{
    const struct planned *planned = *state;
    running = planned->name;
    alarm(TEST_SECONDS);
    return fixture_setup(state, planned->group->devices);
}

static int teardown(void **state)
{
    int failed = fixture_teardown(state);
    alarm(0);
    return failed;
}

/* ---- All of them ---------------------------------------------------------------- */

/* "streams: an unknown flag is refused" */
static char *sentence(const struct suite_group *group, const char *function)
{
    size_t bytes = strlen(group->name) + strlen(function) + 3;
    char *text = malloc(bytes);
    if (!text) abort();
    snprintf(text, bytes, "%s: %s", group->name, function);
    for (char *at = text; *at; at++)
        if (*at == '_') *at = ' ';
    return text;
}

static int device_count(void)
{
    rill_platform *platform = NULL;
    int count = 0;
    if (suite->open(1, &platform)) {
        fprintf(stderr, "%s: %s\n", suite->name, rill_last_error()->message);
        exit(1);
    }
    rill_device_count(platform, &count);
    rill_close(&platform);
    if (suite->open(64, &platform) == RILL_SUCCESS) rill_device_count(platform, &count);
    rill_close(&platform);
    return count;
}

static size_t plan_group(const struct suite_group *group, struct planned *plan,
                         struct CMUnitTest *tests)
{
    for (size_t i = 0; i < group->count; i++) {
        plan[i] = (struct planned){ group, sentence(group, group->tests[i].name) };
        tests[i] = (struct CMUnitTest){
            .name = plan[i].name, .test_func = group->tests[i].test_func, .setup_func = setup,
            .teardown_func = teardown, .initial_state = &plan[i],
        };
    }
    return group->count;
}

int suite_run(const struct suite_backend *backend, const char *pattern)
{
    suite = backend;
    int devices = device_count();
    size_t room = 0, count = 0;
    for (size_t i = 0; i < GROUP_COUNT; i++) room += groups[i]->count;
    struct CMUnitTest *tests = calloc(room, sizeof *tests);
    struct planned *plan = calloc(room, sizeof *plan);
    if (!tests || !plan) abort();
    for (size_t i = 0; i < GROUP_COUNT; i++)
        if (groups[i]->devices <= devices)
            count += plan_group(groups[i], plan + count, tests + count);
    signal(SIGALRM, hangs);
    if (pattern) cmocka_set_test_filter(pattern);
    int failed = _cmocka_run_group_tests(backend->name, tests, count, NULL, NULL);
    for (size_t i = 0; i < count; i++) free((void *)(uintptr_t)plan[i].name);
    free(plan);
    free(tests);
    return failed;
}
