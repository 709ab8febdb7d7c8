/* SPDX-License-Identifier: Apache-2.0
 *
 * The data of host functions, which is destroyed once whatever happens.
 */
#include "core/operations.h"

static int ran, destroyed;

static void run(void *data)
{
    assert_ptr_equal(data, &ran);
    ran++;
}

static void destroy(void *data)
{
    assert_ptr_equal(data, &ran);
    destroyed++;
}

static rill_op host(void)
{
    rill_op op = op_of(RILL_OP_HOST);
    op.host = (rill_host_op){ run, &ran, destroy };
    return op;
}

static void expect_destroyed(const char *what)
{
    if (destroyed != 1) fail_msg("%s: destroyed %d times", what, destroyed);
    destroyed = 0;
}

static void host_data_is_destroyed_once_when_refused(void **state)
{
    (void)state;
    ran = destroyed = 0;
    struct world bad[3] = { home, ruin, home };
    memset(&bad[0], 0, sizeof bad[0]); /* NULL handles */
    bad[1].graph = NULL; /* a graph is of no context */
    bad[2].stream = (rill_stream *)home.event;
    bad[2].graph = (rill_graph *)home.event;
    bad[2].exec = (rill_exec *)home.event;
    for (size_t i = 0; i < WAYS; i++) {
        rill_op op = host();
        for (size_t j = 0; j < 3; j++) {
            assert_int_not_equal(ways[i].go(&bad[j], &op), RILL_SUCCESS);
            expect_destroyed(ways[i].name);
        }
        op.host.fn = NULL;
        assert_int_equal(ways[i].go(&home, &op), RILL_ERROR_INVALID_VALUE);
        assert_string_equal(rill_last_error()->argument, "op->host.fn");
        expect_destroyed(ways[i].name);
        op = host();
        shim_fail(ways[i].slot, 1, RILL_ERROR_UNKNOWN);
        assert_int_equal(ways[i].go(&home, &op), RILL_ERROR_UNKNOWN);
        shim_fail("", 0, RILL_SUCCESS);
        expect_destroyed(ways[i].name);
        op.host.destroy = NULL; /* and with nothing to call, nothing is called */
        assert_int_not_equal(ways[i].go(&bad[0], &op), RILL_SUCCESS);
    }
    assert_int_equal(ran, 0);
    assert_int_equal(destroyed, 0);
}

static void host_data_is_destroyed_once_by_the_short_form(void **state)
{
    (void)state;
    ran = destroyed = 0;
    assert_int_equal(rill_launch_host(home.stream, run, &ran, destroy), RILL_SUCCESS);
    assert_int_equal(ran, 1);
    expect_destroyed("success");
    assert_int_equal(rill_launch_host(NULL, run, &ran, destroy), RILL_ERROR_INVALID_HANDLE);
    expect_destroyed("no stream");
    assert_int_equal(rill_launch_host(home.stream, NULL, &ran, destroy), RILL_ERROR_INVALID_VALUE);
    expect_object(home.stream);
    expect_destroyed("no function");
    shim_fail("backend->stream->submit", 1, RILL_ERROR_UNKNOWN);
    assert_int_equal(rill_launch_host(home.stream, run, &ran, destroy), RILL_ERROR_UNKNOWN);
    shim_fail("", 0, RILL_SUCCESS);
    expect_destroyed("a failure");
    assert_int_equal(rill_launch_host(NULL, run, &ran, NULL), RILL_ERROR_INVALID_HANDLE);
    assert_int_equal(ran, 1);
}

static void host_data_is_destroyed_once_by_the_short_form_of_nodes(void **state)
{
    (void)state;
    ran = destroyed = 0;
    rill_node node;
    assert_int_equal(rill_graph_add_host(NULL, NULL, 0, run, &ran, destroy, &node),
                     RILL_ERROR_INVALID_VALUE);
    expect_destroyed("no graph");
    assert_int_equal(rill_graph_add_host(ruin.graph, NULL, 0, run, &ran, destroy, &node),
                     RILL_SUCCESS);
    assert_int_equal(destroyed, 0);
    assert_int_equal(rill_graph_remove_node(ruin.graph, node), RILL_SUCCESS);
    expect_destroyed("a graph of a context that is gone");
    assert_int_equal(rill_graph_add_host(home.graph, NULL, 0, NULL, &ran, destroy, &node),
                     RILL_ERROR_INVALID_VALUE);
    assert_string_equal(rill_last_error()->argument, "fn");
    expect_destroyed("no function");
    assert_int_equal(rill_graph_add_host(home.graph, NULL, 1, run, &ran, destroy, &node),
                     RILL_ERROR_INVALID_VALUE);
    expect_destroyed("no dependencies");
    assert_int_equal(rill_graph_add_host(home.graph, NULL, 0, run, &ran, destroy, NULL),
                     RILL_ERROR_INVALID_VALUE);
    expect_destroyed("no output");
    shim_fail("backend->graph->add_node", 1, RILL_ERROR_UNKNOWN);
    assert_int_equal(rill_graph_add_host(home.graph, NULL, 0, run, &ran, destroy, &node),
                     RILL_ERROR_UNKNOWN);
    shim_fail("", 0, RILL_SUCCESS);
    expect_destroyed("a failure");
    assert_int_equal(rill_graph_add_host(home.graph, NULL, 0, run, &ran, destroy, &node),
                     RILL_SUCCESS);
    assert_int_equal(destroyed, 0);
    assert_int_equal(rill_graph_remove_node(home.graph, node), RILL_SUCCESS);
    expect_destroyed("its node");
    assert_int_equal(ran, 0);
}

static void host_data_of_a_node_goes_with_its_arguments(void **state)
{
    (void)state;
    ran = destroyed = 0;
    rill_op op = host();
    rill_node node;
    assert_int_equal(rill_graph_add_node(home.graph, NULL, 1, &op, &node),
                     RILL_ERROR_INVALID_VALUE);
    assert_string_equal(rill_last_error()->argument, "dependencies");
    expect_destroyed("no dependencies");
    assert_int_equal(rill_graph_add_node(home.graph, NULL, 0, &op, NULL), RILL_ERROR_INVALID_VALUE);
    expect_destroyed("no output");
    assert_int_equal(rill_node_set_op(home.graph, NULL, &op), RILL_ERROR_INVALID_VALUE);
    expect_destroyed("no node");
    assert_int_equal(rill_exec_set_op(home.exec, NULL, &op), RILL_ERROR_INVALID_VALUE);
    expect_destroyed("no node of an exec");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(host_data_is_destroyed_once_when_refused),
        cmocka_unit_test(host_data_is_destroyed_once_by_the_short_form),
        cmocka_unit_test(host_data_is_destroyed_once_by_the_short_form_of_nodes),
        cmocka_unit_test(host_data_of_a_node_goes_with_its_arguments),
    };
    return cmocka_run_group_tests(tests, open_worlds, close_worlds);
}
