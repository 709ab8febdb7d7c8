/* SPDX-License-Identifier: Apache-2.0
 *
 * stack=2: programs that submit in functions of their own are told who called these, and one
 * line of such a function is as many findings as it has callers.
 */
#include "layer-check/checked.h"
#include "site/libdw.h"

enum { BYTES = 4096, KEPT_MAX = 4 };

static struct {
    struct {
        char functions[2][2][64]; /* of both places: their two callers */
        char id[32];
    } found[KEPT_MAX];
    size_t count;
} kept;

static void keep_callers(void *data, const rill_finding *finding)
{
    (void)data;
    if (kept.count == KEPT_MAX) return;
    for (size_t i = 0; i < finding->place_count; i++) {
        assert_int_equal(finding->place[i].caller_count, 2);
        for (size_t at = 0; at < 2; at++) {
            const rill_finding_caller *caller = &finding->place[i].callers[at];
            assert_string_equal(caller->module, "test_check_stack");
            snprintf(kept.found[kept.count].functions[i][at], 64, "%s",
                     caller->function ? caller->function : "");
        }
    }
    snprintf(kept.found[kept.count++].id, 32, "%s", finding->id);
}

/* What follows a call keeps the compiler from making a jump of it. */
static volatile int done;

static __attribute__((noinline)) void fill(rill_stream *stream, rill_devptr memory)
{
    OK(rill_memset_d8_async(stream, memory, 1, BYTES));
    done++;
}

static __attribute__((noinline)) void begin_frame(struct checked *checked, rill_devptr memory)
{
    fill(checked->s, memory);
    done++;
}

static __attribute__((noinline)) void end_frame(struct checked *checked, rill_devptr memory)
{
    fill(checked->t, memory);
    done++;
}

static void a_wrapper_is_told_with_its_callers(void **state)
{
    (void)state;
    struct checked checked;
    rill_devptr memory = 0;
#ifdef __SANITIZE_THREAD__
    skip(); /* the fills race, and ThreadSanitizer knows */
#endif
    begin_checked(&checked);
    OK(rill_check_report(checked.platform, keep_callers, NULL));
    OK(rill_mem_alloc(checked.context, BYTES, &memory));
    begin_frame(&checked, memory);
    end_frame(&checked, memory);
    begin_frame(&checked, memory);
    OK(rill_context_synchronize(checked.context));
    OK(rill_mem_free(checked.context, memory));
    end_checked(&checked);
    assert_int_equal(kept.count, 2);
    assert_string_not_equal(kept.found[0].id, kept.found[1].id);
    if (!cs_libdw()) return;
    assert_string_equal(kept.found[0].functions[0][0], "end_frame");
    assert_string_equal(kept.found[0].functions[0][1], __func__);
    assert_string_equal(kept.found[0].functions[1][0], "begin_frame");
    assert_string_equal(kept.found[1].functions[0][0], "begin_frame");
    assert_string_equal(kept.found[1].functions[1][0], "end_frame");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrapper_is_told_with_its_callers),
    };
    setenv("RILL_CHECK", "race stack=2", 1);
    return cmocka_run_group_tests(tests, NULL, end_sources);
}
