/* SPDX-License-Identifier: Apache-2.0
 *
 * What a platform says that it supports.
 */
#include "core/registered.h"

static void expect_feature(rill_platform *platform, rill_feature feature, rill_status status)
{
    rill_clear_error();
    assert_int_equal(rill_platform_supports(platform, feature), status);
    assert_int_equal(rill_last_error()->status, status);
    if (status) assert_string_equal(rill_last_error()->argument, "feature");
}

static void the_tables_say_what_is_supported(void **state)
{
    (void)state;
    const rill_open_options options = { .size = sizeof options, .backend = "fake" };
    rill_platform *platform = NULL;
    assert_int_equal(rill_open(&options, &platform), RILL_SUCCESS);
    for (int feature = RILL_FEATURE_STREAMS; feature <= RILL_FEATURE_GRAPH_MEMORY; feature++) {
        int lacks = feature == RILL_FEATURE_POOLS || feature == RILL_FEATURE_PEER_ACCESS ||
                    feature >= RILL_FEATURE_GRAPHS;
        expect_feature(platform, (rill_feature)feature,
                       lacks ? RILL_ERROR_NOT_SUPPORTED : RILL_SUCCESS);
        if (lacks) assert_non_null(strstr(rill_last_error()->message, "the fake backend"));
    }
    expect_feature(platform, RILL_FEATURE_VIRTUAL_MEMORY, RILL_ERROR_NOT_SUPPORTED);
    expect_feature(platform, (rill_feature)0, RILL_ERROR_INVALID_VALUE);
    expect_feature(platform, (rill_feature)99, RILL_ERROR_INVALID_VALUE);
    rill_close(&platform);
}

static void the_backend_has_the_last_word(void **state)
{
    (void)state;
    copy_backend("full");
    broken.rank = -1;
    assert_int_equal(rill_backend_register(&broken), RILL_SUCCESS);
    const rill_open_options options = { .size = sizeof options, .backend = "full" };
    rill_platform *platform = NULL;
    assert_int_equal(rill_open(&options, &platform), RILL_SUCCESS);
    for (int feature = RILL_FEATURE_STREAMS; feature <= RILL_FEATURE_GRAPH_MEMORY; feature++)
        expect_feature(platform, (rill_feature)feature,
                       feature == RILL_FEATURE_VALUE_OPERATIONS ? RILL_ERROR_NOT_SUPPORTED
                                                                : RILL_SUCCESS);
    expect_feature(platform, RILL_FEATURE_VIRTUAL_MEMORY, RILL_SUCCESS);
    /* What is optional within a table counts, too. */
    struct rill_graph_ops graph = *broken.graph;
    graph.conditional = NULL;
    broken.graph = &graph;
    expect_feature(platform, RILL_FEATURE_CONDITIONALS, RILL_ERROR_NOT_SUPPORTED);
    expect_feature(platform, RILL_FEATURE_GRAPHS, RILL_SUCCESS);
    graph.trim_memory = NULL;
    expect_feature(platform, RILL_FEATURE_GRAPH_MEMORY, RILL_ERROR_NOT_SUPPORTED);
    struct rill_context_ops context = *broken.context;
    context.disable_peer = NULL;
    broken.context = &context;
    expect_feature(platform, RILL_FEATURE_PEER_ACCESS, RILL_ERROR_NOT_SUPPORTED);
    rill_close(&platform);
    broken.graph = &fake.graph;
    broken.context = &fake.context;
}

static void each_table_brings_its_features(void **state)
{
    (void)state;
    static struct fake_tables built[4];
    static const struct {
        const char *name;
        unsigned parts;
        rill_feature feature;
    } cases[4] = {
        { "pools", FAKE_POOLS, RILL_FEATURE_POOLS },
        { "graphs", FAKE_GRAPHS, RILL_FEATURE_GRAPHS },
        { "captures", FAKE_GRAPHS | FAKE_CAPTURES, RILL_FEATURE_CAPTURE },
        { "execs", FAKE_GRAPHS | FAKE_EXECS, RILL_FEATURE_EXECS },
    };
    for (size_t i = 0; i < 4; i++) {
        const rill_open_options options = { .size = sizeof options, .backend = cases[i].name };
        rill_platform *platform = NULL;
        fake_build(&built[i], cases[i].name, cases[i].parts);
        assert_int_equal(rill_backend_register(&built[i].backend), RILL_SUCCESS);
        assert_int_equal(rill_open(&options, &platform), RILL_SUCCESS);
        for (size_t j = 0; j < 4; j++) {
            int has = j == i || (i > 1 && j == 1);
            expect_feature(platform, cases[j].feature,
                           has ? RILL_SUCCESS : RILL_ERROR_NOT_SUPPORTED);
        }
        rill_close(&platform);
    }
}

static int register_backends(void **state)
{
    (void)state;
    return rill_backend_register(&fake_backend);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tables_say_what_is_supported),
        cmocka_unit_test(each_table_brings_its_features),
        cmocka_unit_test(the_backend_has_the_last_word),
    };
    return cmocka_run_group_tests(tests, register_backends, NULL);
}
