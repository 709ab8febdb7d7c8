/* SPDX-License-Identifier: Apache-2.0
 *
 * A checked platform on the simulator, with two non-blocking streams, and what was found on it.
 *
 * $RILL_CHECK is read for the first platform of a process: main() sets it.
 */
#ifndef CHECKED_H
#define CHECKED_H

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rill/backend.h>
#include <rill/check.h>
#include <rill/rill.h>
#include <rill/sim.h>

#include "layer-check/leaks.h"
#include "site/site.h"
#include "support/cmocka_all.h"

#define OK(call) checked_ok(call, #call, __FILE__, __LINE__)
static inline void checked_ok(rill_status status, const char *call, const char *file, int line)
{
    if (!status) return;
    print_error("%s\n    %s\n", call, rill_last_error()->message);
    _fail(file, line);
}

enum { FOUND_MAX = 32 };

/* What is kept of a finding. */
struct found {
    rill_finding_kind kind;
    rill_mend mend;
    char sentence[256], id[32], memory[160], function[64], advice[256];
    char what[2][64];
    uint64_t stream[2], number[2], node[2], within[2], from, bytes, count, cost_ns;
    bool assumed;
    size_t places;
    int launch_line; /* of the second place */
};

struct checked {
    rill_platform *platform;
    rill_context *context;
    rill_stream *s, *t; /* non-blocking ones          */
    rill_event *event;  /* of pairs.h, as are these two */
    rill_devptr x, y;
    struct found found[FOUND_MAX];
    size_t count;
};

static inline void take_finding(void *data, const rill_finding *finding)
{
    struct checked *checked = data;
    if (checked->count == FOUND_MAX) return;
    struct found *found = &checked->found[checked->count++];
    const char *function = finding->place[0].function;
    *found = (struct found){ .kind = finding->kind, .mend = finding->mend,
                             .from = finding->address, .bytes = finding->bytes,
                             .assumed = finding->assumed, .places = finding->place_count,
                             .count = finding->count, .cost_ns = finding->cost_ns };
    snprintf(found->sentence, sizeof found->sentence, "%s", finding->sentence);
    snprintf(found->id, sizeof found->id, "%s", finding->id);
    snprintf(found->memory, sizeof found->memory, "%s", finding->memory);
    snprintf(found->advice, sizeof found->advice, "%s", finding->advice);
    found->launch_line = finding->place_count > 1 ? finding->place[1].launch_line : 0;
    snprintf(found->function, sizeof found->function, "%s", function ? function : "");
    for (size_t i = 0; i < finding->place_count; i++) {
        snprintf(found->what[i], sizeof found->what[i], "%s", finding->place[i].what);
        found->stream[i] = finding->place[i].stream_id;
        found->number[i] = finding->place[i].number;
        found->node[i] = finding->place[i].node;
        found->within[i] = finding->place[i].within;
    }
}

static inline void begin_checked_with(struct checked *checked, const char *layers)
{
    const rill_stream_options aside = { .size = sizeof aside, .flags = RILL_STREAM_NON_BLOCKING };
    const rill_sim_options sim = { .size = sizeof sim, .devices = 1, .workers = 2 };
    const rill_open_options options = { .size = sizeof options, .backend = "sim", .sim = &sim,
                                        .layers = layers };
    const rill_context_options first = { .size = sizeof first };
    memset(checked, 0, sizeof *checked);
    OK(rill_open(&options, &checked->platform));
    OK(rill_check_report(checked->platform, take_finding, checked));
    OK(rill_context_create(checked->platform, &first, &checked->context));
    OK(rill_stream_create(checked->context, &aside, &checked->s));
    OK(rill_stream_create(checked->context, &aside, &checked->t));
}

static inline void begin_checked(struct checked *checked)
{
    begin_checked_with(checked, "check");
}

/* Ends all of it, so that everything is found that can be. */
static inline void end_checked(struct checked *checked)
{
    OK(rill_stream_destroy(&checked->s));
    OK(rill_stream_destroy(&checked->t));
    OK(rill_context_destroy(&checked->context));
    OK(rill_close(&checked->platform));
}

/* For the end of all tests: what is known of sources is kept until then. */
static inline int end_sources(void **state)
{
    (void)state;
    cs_forget_sources();
    return 0;
}

/* The only finding, whose sentence is this. */
static inline void expect_found(const struct checked *checked, rill_finding_kind kind,
                                const char *sentence)
{
    for (size_t i = 1; i < checked->count; i++)
        print_error("found besides: %s\n", checked->found[i].sentence);
    assert_int_equal(checked->count, 1);
    assert_string_equal(checked->found[0].sentence, sentence);
    assert_int_equal(checked->found[0].kind, kind);
}

static inline void expect_nothing(const struct checked *checked)
{
    for (size_t i = 0; i < checked->count; i++)
        print_error("found: %s\n", checked->found[i].sentence);
    assert_int_equal(checked->count, 0);
}

#endif
