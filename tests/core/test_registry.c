/* SPDX-License-Identifier: Apache-2.0
 *
 * Which backend is chosen, and what is said when none can be.
 */
#include "core/registered.h"

/* ---- Backends to choose from ----------------------------------------------- */

static const rill_open_options no_options = { .size = sizeof no_options };

static rill_status no_device(const rill_open_options *options)
{
    (void)options;
    return rill_backend_fail(RILL_ERROR_NO_DEVICE, NULL, "no such card is plugged in");
}

static rill_status not_ready(const rill_open_options *options)
{
    (void)options;
    return RILL_ERROR_SYSTEM_NOT_READY; /* without a word */
}

static struct rill_backend low, high, absent, mute;

/* Above and below all that this build may have. */
static int register_backends(void **state)
{
    (void)state;
    unsetenv("RILL_BACKEND");
    low = high = absent = mute = fake_backend;
    low.name = "low";
    low.rank = 1000;
    high.name = "high";
    high.rank = 2000;
    absent.name = "absent";
    absent.rank = 3000;
    absent.probe = no_device;
    mute.name = "mute";
    mute.rank = 3000;
    mute.probe = not_ready;
    return rill_backend_register(&low) || rill_backend_register(&absent) ||
           rill_backend_register(&high) || rill_backend_register(&mute);
}

static void expect_backend(const rill_open_options *options, const char *name)
{
    rill_platform *platform = NULL;
    const char *found = NULL;
    assert_int_equal(rill_open(options, &platform), RILL_SUCCESS);
    assert_int_equal(rill_platform_backend(platform, &found), RILL_SUCCESS);
    assert_string_equal(found, name);
    assert_int_equal(rill_close(&platform), RILL_SUCCESS);
}

static void expect_no_platform(const char *name, rill_status status, const char *words)
{
    rill_open_options options = { .size = sizeof options, .backend = name };
    rill_platform *platform = NULL;
    assert_int_equal(rill_open(&options, &platform), status);
    assert_null(platform);
    const rill_error *error = rill_last_error();
    assert_int_equal(error->status, status);
    assert_string_equal(error->operation, "rill_open");
    if (!strstr(error->message, words)) fail_msg("'%s' lacks '%s'", error->message, words);
    assert_int_equal(rl_noted, 0);
}

static void names_come_by_rank(void **state)
{
    (void)state;
    assert_string_equal(rill_backend_name(0), "absent"); /* of one rank: there first */
    assert_string_equal(rill_backend_name(1), "mute");
    assert_string_equal(rill_backend_name(2), "high");
    assert_string_equal(rill_backend_name(3), "low");
    size_t count = 0;
    while (rill_backend_name(count)) count++;
    assert_true(count >= 4);
    assert_null(rill_backend_name(count + 1));
    assert_null(rill_backend_name(SIZE_MAX));
}

static void a_name_can_be_taken_once(void **state)
{
    (void)state;
    copy_backend("low");
    expect_refused("backend->name");
    assert_int_equal(rill_backend_register(&low), RILL_ERROR_BACKEND_TABLE);
}

static void the_best_usable_backend_is_chosen(void **state)
{
    (void)state;
    const rill_open_options options = { .size = sizeof options };
    expect_backend(NULL, "high");
    expect_backend(&options, "high");
}

static void a_name_is_honoured(void **state)
{
    (void)state;
    const rill_open_options options = { .size = sizeof options, .backend = "low" };
    expect_backend(&options, "low");
    setenv("RILL_BACKEND", "high", 1);
    expect_backend(&options, "low"); /* the program knows better */
    unsetenv("RILL_BACKEND");
}

static void the_environment_comes_next(void **state)
{
    (void)state;
    setenv("RILL_BACKEND", "low", 1);
    expect_backend(NULL, "low");
    setenv("RILL_BACKEND", "", 1);
    expect_backend(NULL, "high");
    setenv("RILL_BACKEND", "nonsense", 1);
    expect_no_platform(NULL, RILL_ERROR_NO_BACKEND, "$RILL_BACKEND names a backend 'nonsense'");
    assert_null(rill_last_error()->argument);
    unsetenv("RILL_BACKEND");
}

static void a_named_backend_that_cannot_be_used_says_why(void **state)
{
    (void)state;
    expect_no_platform("absent", RILL_ERROR_NO_DEVICE,
                       "the absent backend, which options->backend names, cannot be used: no such "
                       "card is plugged in");
    assert_string_equal(rill_last_error()->argument, "options->backend");
    expect_no_platform("mute", RILL_ERROR_SYSTEM_NOT_READY,
                       rill_error_string(RILL_ERROR_SYSTEM_NOT_READY));
    setenv("RILL_BACKEND", "absent", 1);
    expect_no_platform(NULL, RILL_ERROR_NO_DEVICE, "which $RILL_BACKEND names");
    unsetenv("RILL_BACKEND");
}

static void an_unknown_name_gets_the_known_ones(void **state)
{
    (void)state;
    expect_no_platform("nosuch", RILL_ERROR_NO_BACKEND, "there are: absent, mute, high, low");
    assert_string_equal(rill_last_error()->argument, "options->backend");
}

#if !RILL_HAVE_BACKEND_CUDA
static void a_backend_that_was_not_built_is_explained(void **state)
{
    (void)state;
    expect_no_platform("cuda", RILL_ERROR_NO_BACKEND, "not part of this build");
    assert_non_null(strstr(rill_last_error()->message, "--enable-cuda"));
}
#endif

/* When nothing can be used each reason is told, and only its own. */
static void expect_none_usable(const struct rill_backend *const *backends, const char *words)
{
    const struct rill_backend *chosen;
    rill_status status = rl_first_usable(backends, &no_options, &chosen);
    assert_int_equal(rl_finish("test", NULL, status), RILL_ERROR_NO_BACKEND);
    assert_string_equal(rill_last_error()->message, words);
}

static void when_nothing_can_be_used_all_reasons_are_told(void **state)
{
    (void)state;
    const struct rill_backend silent = mute;
    const struct rill_backend *both[] = { &absent, &silent, NULL }, *none[] = { NULL };
    const struct rill_backend *chosen, *last[] = { &absent, &low, NULL };
    char words[RILL_ERROR_MESSAGE_MAX];
    snprintf(words, sizeof words, "no backend can be used (absent: no such card is plugged in; "
             "mute: %s)", rill_error_string(RILL_ERROR_SYSTEM_NOT_READY));
    expect_none_usable(both, words);
    expect_none_usable(none, "no backend can be used (none is built in or registered)");
    assert_int_equal(rl_first_usable(last, &no_options, &chosen), RILL_SUCCESS);
    assert_ptr_equal(chosen, &low);
    rl_drop_note();
}

/* A note of one probe is not the reason of the next, though the status is. */
static rill_status no_device_either(const rill_open_options *options)
{
    (void)options;
    return RILL_ERROR_NO_DEVICE;
}

static void reasons_are_not_mixed_up(void **state)
{
    (void)state;
    struct rill_backend silent = mute;
    silent.probe = no_device_either;
    const struct rill_backend *both[] = { &absent, &silent, NULL };
    char words[RILL_ERROR_MESSAGE_MAX];
    snprintf(words, sizeof words, "no backend can be used (absent: no such card is plugged in; "
             "mute: %s)", rill_error_string(RILL_ERROR_NO_DEVICE));
    expect_none_usable(both, words);
}

/* Nor is a note about another status. */
static rill_status noted_something_else(const rill_open_options *options)
{
    (void)options;
    rill_backend_fail(RILL_ERROR_FILE_NOT_FOUND, NULL, "no libfoo.so");
    return RILL_ERROR_NO_DEVICE;
}

static void a_note_about_something_else_is_no_reason(void **state)
{
    (void)state;
    struct rill_backend other = mute;
    other.probe = noted_something_else;
    const struct rill_backend *one[] = { &other, NULL };
    char words[RILL_ERROR_MESSAGE_MAX];
    snprintf(words, sizeof words, "no backend can be used (mute: %s)",
             rill_error_string(RILL_ERROR_NO_DEVICE));
    expect_none_usable(one, words);
}

static rill_status very_sorry(const rill_open_options *options)
{
    (void)options;
    return rill_backend_fail(RILL_ERROR_NO_DEVICE, NULL, "%300d", 0);
}

static void many_long_reasons_are_cut(void **state)
{
    (void)state;
    struct rill_backend other = mute;
    other.probe = very_sorry;
    const struct rill_backend *many[] = { &other, &other, &other, &other, &other, NULL };
    const struct rill_backend *chosen;
    assert_int_equal(rl_finish("test", NULL, rl_first_usable(many, &no_options, &chosen)),
                     RILL_ERROR_NO_BACKEND);
    assert_memory_equal(rill_last_error()->message, "no backend can be used (mute: ", 30);
    assert_true(strlen(rill_last_error()->message) < RILL_ERROR_MESSAGE_MAX);
}

/* ---- Opening --------------------------------------------------------------- */

static rill_status refuse_to_open(rill_platform *platform, const rill_open_options *options)
{
    assert_int_equal(options->size, sizeof *options);
    assert_non_null(platform);
    return rill_backend_fail(RILL_ERROR_DEVICE_UNAVAILABLE, NULL, "the device is taken");
}

static rill_status refuse_without_a_word(rill_platform *platform, const rill_open_options *options)
{
    (void)platform;
    (void)options;
    return RILL_ERROR_DEVICE_UNAVAILABLE;
}

static void a_failed_open_leaves_nothing(void **state)
{
    (void)state;
    long live = rl_alloc_live();
    low.open = refuse_to_open;
    expect_no_platform("low", RILL_ERROR_DEVICE_UNAVAILABLE, "the device is taken");
    low.open = refuse_without_a_word;
    expect_no_platform("low", RILL_ERROR_DEVICE_UNAVAILABLE,
                       rill_error_string(RILL_ERROR_DEVICE_UNAVAILABLE));
    low.open = fake_backend.open;
    assert_int_equal(rl_alloc_live(), live);

    const rill_open_options options = { .size = sizeof options, .backend = "low", .label = "mine" };
    rill_platform *platform = NULL;
    for (int i = 0; i < 2; i++) { /* no memory for the platform, for its label */
        rl_alloc_fail_after(i);
        assert_int_equal(rill_open(&options, &platform), RILL_ERROR_OUT_OF_MEMORY);
        rl_alloc_fail_after(-1);
        assert_null(platform);
        assert_int_equal(rl_alloc_live(), live);
    }
}

static void a_platform_can_have_a_label(void **state)
{
    (void)state;
    const rill_open_options options = { .size = sizeof options, .backend = "low", .label = "mine" };
    rill_platform *platform = NULL;
    assert_int_equal(rill_open(&options, &platform), RILL_SUCCESS);
    assert_int_equal(rill_device_count(platform, NULL), RILL_ERROR_INVALID_VALUE);
    assert_string_equal(rill_last_error()->object, "platform 'mine'");
    rill_close(&platform);
    assert_int_equal(rill_open(&options, NULL), RILL_ERROR_INVALID_VALUE);
    assert_string_equal(rill_last_error()->argument, "platform");
}

/* Sizes that no memory can hold do not wrap around to ones that it can. */
static void absurd_private_bytes_find_no_memory(void **state)
{
    (void)state;
    const size_t sizes[] = { SIZE_MAX, SIZE_MAX - 63, SIZE_MAX - 200 };
    const rill_open_options options = { .size = sizeof options, .backend = "low" };
    rill_platform *platform = NULL;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        low.platform_private_bytes = sizes[i];
        assert_int_equal(rill_open(&options, &platform), RILL_ERROR_OUT_OF_MEMORY);
        assert_null(platform);
    }
    low.platform_private_bytes = fake_backend.platform_private_bytes;
}

/* ---- The room -------------------------------------------------------------- */

/* Last: fills the registry. */
static void there_is_an_end_to_registering(void **state)
{
    (void)state;
    static struct rill_backend many[64];
    static char names[64][16];
    rill_status status = RILL_SUCCESS;
    int added = 0;
    for (int i = 0; i < 64 && !status; i++) {
        many[i] = fake_backend;
        snprintf(names[i], sizeof names[i], "many%d", i);
        many[i].name = names[i];
        status = rill_backend_register(&many[i]);
        added += !status;
    }
    assert_int_equal(status, RILL_ERROR_OUT_OF_MEMORY);
    assert_true(added >= 16);
    const rill_open_options options = { .size = sizeof options, .backend = names[added - 1] };
    expect_backend(&options, names[added - 1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_come_by_rank),
        cmocka_unit_test(a_name_can_be_taken_once),
        cmocka_unit_test(the_best_usable_backend_is_chosen),
        cmocka_unit_test(a_name_is_honoured),
        cmocka_unit_test(the_environment_comes_next),
        cmocka_unit_test(a_named_backend_that_cannot_be_used_says_why),
        cmocka_unit_test(an_unknown_name_gets_the_known_ones),
#if !RILL_HAVE_BACKEND_CUDA
        cmocka_unit_test(a_backend_that_was_not_built_is_explained),
#endif
        cmocka_unit_test(when_nothing_can_be_used_all_reasons_are_told),
        cmocka_unit_test(reasons_are_not_mixed_up),
        cmocka_unit_test(a_note_about_something_else_is_no_reason),
        cmocka_unit_test(many_long_reasons_are_cut),
        cmocka_unit_test(a_failed_open_leaves_nothing),
        cmocka_unit_test(a_platform_can_have_a_label),
        cmocka_unit_test(absurd_private_bytes_find_no_memory),
        cmocka_unit_test(there_is_an_end_to_registering),
    };
    return cmocka_run_group_tests(tests, register_backends, NULL);
}
