/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/report/block.h"

#include <stdio.h>
#include <string.h>

#include "layer-check/report/kind.h"
#include "layer-check/report/place.h"

/* Columns stand apart by so much; what is wider than a column may be keeps its own line. */
enum { AFTER_LABEL = 2, AFTER_PLACE = 5, PLACE_MAX = 60 };

/* ---- Columns ---------------------------------------------------------------------------- */

/* Names an end in a word or two: "kernel" of "kernel 'scale'", "host" of "the host". */
static void put_label(struct ck_text *text, const rill_finding_place *place)
{
    const char *what = place->what, *name;
    if (!strncmp(what, "the ", 4)) what += 4;
    name = strstr(what, " '");
    ck_put_bytes(text, what, name ? (size_t)(name - what) : strlen(what));
}

static void put_call(struct ck_text *text, const rill_finding_place *place)
{
    if (!ck_put_place(text, place)) ck_put(text, "unknown place");
    if (place->function) ck_put_format(text, " in %s()", place->function);
}

static void put_operation(struct ck_text *text, const rill_finding_place *place)
{
    ck_put(text, place->stream);
    if (place->number)
        ck_put_format(text, "%soperation %llu", *place->stream ? ", " : "",
                      (unsigned long long)place->number);
    if (place->node)
        ck_put_format(text, "%snode %llu", *place->stream || place->number ? ", " : "",
                      (unsigned long long)place->node);
    if (place->within)
        ck_put_format(text, " in node %llu", (unsigned long long)place->within);
    if (place->launch_file)
        ck_put_format(text, place->node ? ", launched at %s:%d" : "captured up to %s:%d",
                      ck_base_name(place->launch_file), place->launch_line);
}

typedef void put_column_fn(struct ck_text *text, const rill_finding_place *place);

static size_t width_of(put_column_fn *put, const rill_finding_place *place)
{
    struct ck_text text = { .bytes = NULL };
    put(&text, place);
    size_t width = text.size;
    ck_text_fini(&text);
    return width;
}

static size_t widest(put_column_fn *put, const rill_finding *finding, size_t least, size_t most)
{
    for (size_t i = 0; i < finding->place_count; i++) {
        size_t width = width_of(put, &finding->place[i]);
        if (width > least) least = width;
    }
    return least < most ? least : most;
}

/* ---- Lines ------------------------------------------------------------------------------ */

/* Returns where the line begins. */
static size_t begin_line(struct ck_text *text, const char *label, size_t width)
{
    size_t begin = text->size, size = strlen(label);
    ck_put(text, CK_PREFIX "   ");
    ck_put(text, label);
    ck_put_blanks(text, (size < width ? width - size : 0) + AFTER_LABEL);
    return begin;
}

/* Labels and names are the program's and may hold anything: a line must stay one. */
static void end_line(struct ck_text *text, size_t begin)
{
    for (size_t at = begin; at < text->size; at++) {
        unsigned char byte = (unsigned char)text->bytes[at];
        if (byte < ' ' || byte == 127) text->bytes[at] = '?';
    }
    ck_put(text, "\n");
}

static void put_place_line(struct ck_text *text, const rill_finding_place *place,
                           size_t label_width, size_t call_width)
{
    struct ck_text label = { .bytes = NULL };
    put_label(&label, place);
    size_t begin = begin_line(text, label.bytes ? label.bytes : "", label_width);
    ck_text_fini(&label);
    put_call(text, place);
    if (width_of(put_operation, place)) {
        size_t width = width_of(put_call, place);
        ck_put_blanks(text, (width < call_width ? call_width - width : 0) + AFTER_PLACE);
        put_operation(text, place);
    }
    end_line(text, begin);
}

/* Puts a line for each caller of the call, under the place of the call. */
static void put_callers(struct ck_text *text, const rill_finding_place *place, size_t label_width)
{
    for (size_t i = 0; i < place->caller_count; i++) {
        const rill_finding_caller *caller = &place->callers[i];
        size_t begin = begin_line(text, "", label_width);
        ck_put(text, "called at ");
        if (!ck_put_caller(text, caller)) ck_put(text, "an unknown place");
        if (caller->function) ck_put_format(text, " in %s()", caller->function);
        end_line(text, begin);
    }
}

void ck_put_block(struct ck_text *text, const rill_finding *finding)
{
    size_t begin = text->size, label = widest(put_label, finding, strlen("memory"), PLACE_MAX);
    size_t call = widest(put_call, finding, 0, PLACE_MAX);
    ck_put_format(text, CK_PREFIX " %s: %s", ck_kinds[finding->kind].word, finding->sentence);
    end_line(text, begin);
    for (size_t i = 0; i < finding->place_count; i++) {
        put_place_line(text, &finding->place[i], label, call);
        put_callers(text, &finding->place[i], label);
    }
    if (*finding->memory) {
        begin = begin_line(text, "memory", label);
        ck_put(text, finding->memory);
        end_line(text, begin);
    }
    if (finding->assumed)
        ck_put(text, CK_PREFIX "   assumed from the arguments: what is touched was not seen\n");
    if (!*finding->advice) return;
    begin = text->size;
    ck_put_format(text, CK_PREFIX "   to mend: %s", finding->advice);
    end_line(text, begin);
}

/* The only line with a measured number: a comparison of two runs leaves it out. */
static void put_cost(struct ck_text *text, uint64_t cost_ns)
{
    if (!cost_ns) return;
    ck_put(text, CK_PREFIX "   cost: ");
    ck_put_number(text, (cost_ns + 999) / 1000);
    ck_put(text, " us in this run\n");
}

void ck_put_block_end(struct ck_text *text, const char *id, uint64_t count, uint64_t cost_ns)
{
    put_cost(text, cost_ns);
    ck_put(text, CK_PREFIX "   id ");
    ck_put(text, id);
    if (count == 1) {
        ck_put(text, ", once\n" CK_PREFIX "\n");
        return;
    }
    ck_put(text, ", ");
    ck_put_number(text, count);
    ck_put(text, " times\n" CK_PREFIX "\n");
}
