/* SPDX-License-Identifier: Apache-2.0
 *
 * What kernels are checked for: pairs of one that is wrong and one that is right.  The wrong one
 * is told of, as a finding and as the launch's failure; of the right one nothing is said.
 */
#include <stdio.h>

#include "ptx/run/check_pairs.h"

static const char frame[] =
    ".version 8.8\n.target sm_100\n.address_size 64\n%s"
    ".visible .entry k(.param .u64 to)\n{\n"
    ".shared .align 16 .b8 s[4096];\n"
    ".reg .u64 %%a, %%b, %%x, %%y, %%z; .reg .u32 %%t, %%c, %%g, %%l, %%u, %%v, %%w, %%i, %%n;\n"
    ".reg .pred %%p, %%q; .reg .b16 %%h;\n"
    "ld.param.u64 %%b, [to]; mov.u32 %%t, %%tid.x; mov.u32 %%c, %%ctaid.x; mov.u32 %%n, %%ntid.x;\n"
    "mad.lo.u32 %%g, %%c, %%n, %%t; mad.wide.u32 %%a, %%g, 4, %%b; and.b32 %%l, %%t, 31;\n"
    "mul.wide.u32 %%x, %%t, 4; mov.u64 %%y, s; add.u64 %%x, %%x, %%y;\n"
    "%s\nret;\n}\n";

#define GLOBAL_BYTES (64 << 10)

static struct machine *load(const struct pair *pair, const char *body)
{
    char text[8192];
    snprintf(text, sizeof text, frame, pair->head ? pair->head : "", body);
    struct machine *m = machine_open();
    machine_load(m, text);
    return m;
}

static struct machine_shape shape_of(const struct pair *pair)
{
    return (struct machine_shape){
        .grid = { pair->blocks }, .block = { pair->threads },
        .cluster = { pair->cluster, !!pair->cluster, !!pair->cluster },
        .checks = PTX_CHECK_ALL, .threads = 2,
    };
}

static void finds_it(const struct pair *pair)
{
    struct ptx_findings found = { .first = NULL };
    struct machine *m = load(pair, pair->bad);
    struct { void *to; } params = { machine_memory(m, GLOBAL_BYTES) };
    struct machine_shape shape = shape_of(pair);
    shape.findings = &found;
    machine_run(m, "k", &shape, &params, sizeof params);
    const struct ptx_finding *at = found.first;
    while (at && !(at->wrong == pair->wrong && strstr(at->sentence, pair->words))) at = at->next;
    if (!at)
        fail_msg("%u findings, the first: %s", found.count,
                 found.first ? found.first->sentence : "none");
    assert_false(found.partial);
    ptx_findings_fini(&found);
    machine_close(m);
}

static void fails_with_it(const struct pair *pair)
{
    struct machine *m = load(pair, pair->bad);
    struct { void *to; } params = { machine_memory(m, GLOBAL_BYTES) };
    struct machine_shape shape = shape_of(pair);
    machine_fails(m, "k", &shape, &params, sizeof params, RILL_ERROR_LAUNCH_FAILED, "kernel 'k'",
                  "thread (");
    machine_close(m);
}

static void says_nothing_of(const struct pair *pair)
{
    struct ptx_findings found = { .first = NULL };
    struct machine *m = load(pair, pair->good);
    struct { void *to; } params = { machine_memory(m, GLOBAL_BYTES) };
    struct machine_shape shape = shape_of(pair);
    machine_run(m, "k", &shape, &params, sizeof params);
    shape.findings = &found;
    params.to = machine_memory(m, GLOBAL_BYTES);
    machine_run(m, "k", &shape, &params, sizeof params);
    if (found.count) fail_msg("%s", found.first->sentence);
    assert_false(found.partial);
    machine_close(m);
}

static void is_told_and_mended(void **state)
{
    const struct pair *pair = *state;
    finds_it(pair);
    fails_with_it(pair);
    says_nothing_of(pair);
}

/* ---- What is told ---------------------------------------------------------------------------- */

/* A loop that was unrolled loads what other threads store. */
static const struct pair unrolled = {
    .blocks = 8, .threads = 64,
    .bad = "ld.global.u32 %v, [%b];\nld.global.u32 %v, [%b+4];\nld.global.u32 %v, [%b+8];\n"
           "add.u32 %u, %g, 1; st.global.u32 [%a], %u;",
};

/* Writes all findings, one a line. */
static void find_all(unsigned threads, char *text, size_t room)
{
    struct ptx_findings found = { .first = NULL };
    struct machine *m = load(&unrolled, unrolled.bad);
    struct { void *to; } params = { machine_memory(m, GLOBAL_BYTES) };
    struct machine_shape shape = shape_of(&unrolled);
    size_t used = 0;
    shape.findings = &found;
    shape.threads = threads;
    machine_run(m, "k", &shape, &params, sizeof params);
    for (const struct ptx_finding *at = found.first; at; at = at->next)
        used += (size_t)snprintf(text + used, room - used, "%s, %d times\n", at->sentence,
                                 (int)at->count);
    ptx_findings_fini(&found);
    machine_close(m);
}

static void what_a_line_does_is_told_once(void **state)
{
    (void)state;
    char text[4096];
    find_all(1, text, sizeof text);
    const char *first = strstr(text, "line 15, thread");
    assert_non_null(first);
    assert_non_null(strstr(first, "loaded in line 12"));
    assert_null(strstr(first + 1, "line 15, thread"));
}

static void it_is_the_same_with_any_number_of_threads(void **state)
{
    (void)state;
    char one[4096], many[4096];
    find_all(1, one, sizeof one);
    find_all(4, many, sizeof many);
    assert_string_equal(one, many);
}

int main(void)
{
    static const struct pairs *const all[] = { &global_pairs, &order_pairs, &shared_pairs,
                                               &init_pairs, &barrier_pairs };
    static struct CMUnitTest tests[100];
    size_t count = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t n = 0; n < all[i]->count; n++)
            tests[count++] = (struct CMUnitTest){ all[i]->rows[n].name, is_told_and_mended, NULL,
                                                  NULL, (void *)(uintptr_t)&all[i]->rows[n] };
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(what_a_line_does_is_told_once);
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(it_is_the_same_with_any_number_of_threads);
    return _cmocka_run_group_tests("checks", tests, count, NULL, NULL);
}
