/* SPDX-License-Identifier: Apache-2.0
 *
 * Which layers there are, which a platform gets, and what is said when it gets none.
 */
#include "core/layered.h"

/* ---- Names ----------------------------------------------------------------------------------- */

static void expect_refused(const char *layers, const char *argument, const char *words)
{
    rill_platform *platform;
    assert_int_equal(open_with(layers, &platform), RILL_ERROR_INVALID_VALUE);
    assert_null(platform);
    const rill_error *error = rill_last_error();
    assert_string_equal(error->operation, "rill_open");
    if (argument) assert_string_equal(error->argument, argument);
    if (!strstr(error->message, words)) fail_msg("the record says \"%s\"", error->message);
}

static void names_must_be_known_and_each_comes_once(void **state)
{
    (void)state;
    expect_refused("upper,nobody", "options->layers", "names a layer 'nobody'");
    expect_refused("nobody", "options->layers", "check, fail, trace, tsan, idle-0, ");
    expect_refused("uppe", "options->layers", "names a layer 'uppe'");
    expect_refused("upperer", "options->layers", "names a layer 'upperer'");
    expect_refused("upper, lower", "options->layers", "names a layer ' lower'");
    expect_refused("upper,,lower", "options->layers", "names a layer ''");
    expect_refused("upper,lower,upper", "options->layers", "names layer 'upper' twice");
}

static void so_many_layers_fit_and_no_more(void **state)
{
    static const char eight[] = "idle-0,idle-1,idle-2,idle-3,idle-4,idle-5,idle-6,idle-7";
    char nine[128];
    struct layered world;
    (void)state;
    assert_int_equal(RILL_LAYERS_MAX, 8);
    begin_world(&world, eight);
    for (int i = 0; i < 8; i++) {
        assert_null(*rill_layer_word(&idle[i], world.stream));
        *rill_layer_word(&idle[i], world.stream) = &calls[i];
    }
    for (int i = 0; i < 8; i++)
        assert_ptr_equal(*rill_layer_word(&idle[i], world.stream), &calls[i]);
    end_world(&world);
    snprintf(nine, sizeof nine, "%s,idle-8", eight);
    expect_refused(nine, "options->layers", "more than 8 layers");
}

static void the_environment_chooses_what_the_options_leave_open(void **state)
{
    struct layered world;
    (void)state;
    setenv("RILL_LAYERS", "lower", 1);
    begin_world(&world, NULL);
    assert_int_equal(rill_stream_query(world.stream), RILL_SUCCESS);
    expect_calls("lower bottom");
    end_world(&world);
    begin_world(&world, "upper");
    assert_int_equal(rill_stream_query(world.stream), RILL_SUCCESS);
    expect_calls("upper bottom");
    end_world(&world);
    begin_world(&world, "");
    assert_ptr_equal(rill_object_of(world.stream)->backend, &fake.backend);
    end_world(&world);
    setenv("RILL_LAYERS", "nobody", 1);
    expect_refused(NULL, NULL, "$RILL_LAYERS names a layer 'nobody'");
    setenv("RILL_LAYERS", "", 1);
    begin_world(&world, NULL);
    end_world(&world);
}

/* ---- Registering ----------------------------------------------------------------------------- */

static void expect_unregistered(const struct rill_layer *layer, const char *argument)
{
    assert_int_equal(rill_layer_register(layer), RILL_ERROR_BACKEND_TABLE);
    assert_string_equal(rill_last_error()->operation, "rill_layer_register");
    assert_string_equal(rill_last_error()->argument, argument);
}

static void layers_that_break_the_contract_are_refused(void **state)
{
    static const char *const names[] = { NULL, "", "Upper", "two words", "a,b",
                                         "longer-than-the-thirty-one-letters" };
    struct rill_layer broken = upper;
    (void)state;
    assert_int_equal(rill_layer_register(NULL), RILL_ERROR_INVALID_VALUE);
    broken.name = "broken";
    broken.abi++;
    expect_unregistered(&broken, "layer->abi");
    broken.abi--;
    broken.size--;
    expect_unregistered(&broken, "layer->size");
    broken.size++;
    broken.slots = NULL;
    expect_unregistered(&broken, "layer->slots");
    broken.slots = &no_slots;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        broken.name = names[i];
        expect_unregistered(&broken, "layer->name");
    }
    broken.name = "upper";
    expect_unregistered(&broken, "layer->name");
    broken.name = "check"; /* is there from the start */
    expect_unregistered(&broken, "layer->name");
}

/* ---- Failing --------------------------------------------------------------------------------- */

static void a_platform_that_does_not_open_leaves_nothing(void **state)
{
    rill_platform *platform;
    (void)state;
    open_fails = true;
    assert_int_equal(open_with("upper,lower", &platform), RILL_ERROR_NO_DEVICE);
    assert_null(platform);
    assert_non_null(strstr(rill_last_error()->message, "the machine is on fire"));
    expect_calls("platform-gone");
}

static void short_memory_opens_nothing_and_leaves_nothing(void **state)
{
    rill_platform *platform = NULL;
    rill_status status = RILL_ERROR_OUT_OF_MEMORY;
    long after = 0;
    (void)state;
    for (; status; after++) {
        *calls = 0;
        rl_alloc_fail_after(after);
        status = open_with("upper,lower", &platform);
        rl_alloc_fail_after(-1);
        if (!status) break;
        assert_int_equal(status, RILL_ERROR_OUT_OF_MEMORY);
        assert_null(platform);
        assert_int_equal(rl_alloc_live(), live_before);
    }
    assert_true(after >= 3); /* the layers, the platform, its pool */
    assert_int_equal(rill_close(&platform), RILL_SUCCESS);
}

/* ---- The end of the room ------------------------------------------------------------------ */

/* Comes last: no layer can be registered after it. */
static void so_many_layers_can_be_registered_and_no_more(void **state)
{
    enum { ROOM = 64 };
    static struct rill_layer many[ROOM];
    static char names[ROOM][16];
    int fit = 0;
    (void)state;
    for (rill_status status = RILL_SUCCESS; !status && fit < ROOM; fit += !status) {
        snprintf(names[fit], sizeof names[fit], "many-%d", fit);
        many[fit] = idle[0];
        many[fit].name = names[fit];
        status = rill_layer_register(&many[fit]);
        if (status) assert_int_equal(status, RILL_ERROR_OUT_OF_MEMORY);
    }
    assert_in_range(fit, 1, ROOM - 1);
    struct layered world;
    begin_world(&world, names[fit - 1]);
    end_world(&world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(names_must_be_known_and_each_comes_once),
        TEST(so_many_layers_fit_and_no_more),
        TEST(the_environment_chooses_what_the_options_leave_open),
        TEST(layers_that_break_the_contract_are_refused),
        TEST(a_platform_that_does_not_open_leaves_nothing),
        TEST(short_memory_opens_nothing_and_leaves_nothing),
        TEST(so_many_layers_can_be_registered_and_no_more),
    };
    return cmocka_run_group_tests(tests, register_all, NULL);
}
