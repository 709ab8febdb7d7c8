/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/report/json.h"

#include <string.h>

#include "layer-check/report/kind.h"

/* ---- Strings ------------------------------------------------------------------------------ */

/* Returns the length of the character that begins there, or 0 if it is none: by the table of
 * well-formed sequences in the Unicode standard. */
static size_t utf8_length(const unsigned char *at)
{
    static const struct {
        unsigned char first, last, second_least, second_most;
        size_t length;
    } rows[] = {
        { 0x00, 0x7f, 0, 0, 1 },       { 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
        { 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
        { 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (*at < rows[i].first || *at > rows[i].last) continue;
        size_t length = rows[i].length;
        if (length > 1 && (at[1] < rows[i].second_least || at[1] > rows[i].second_most)) return 0;
        for (size_t more = 2; more < length; more++)
            if ((at[more] & 0xc0) != 0x80) return 0;
        return length;
    }
    return 0;
}

static void put_escaped(struct ck_text *text, unsigned char byte)
{
    static const char digits[] = "0123456789abcdef";
    const char escape[] = { '\\', 'u', '0', '0', digits[byte >> 4], digits[byte & 15], 0 };
    ck_put(text, escape);
}

void ck_put_json_string(struct ck_text *text, const char *string)
{
    const unsigned char *at = (const unsigned char *)string;
    ck_put(text, "\"");
    while (*at) {
        size_t length = utf8_length(at);
        if (!length)
            ck_put(text, "\\ufffd");
        else if (*at < ' ' || *at == 127)
            put_escaped(text, *at);
        else if (*at == '"' || *at == '\\')
            ck_put_bytes(text, (const char[]){ '\\', (char)*at }, 2);
        else
            ck_put_bytes(text, (const char *)at, length);
        at += length ? length : 1;
    }
    ck_put(text, "\"");
}

/* ---- Members -------------------------------------------------------------------------------
 *
 * Each puts a comma in front: the first member of an object is put by hand.
 */

static void put_name(struct ck_text *text, const char *name)
{
    ck_put_format(text, ",\"%s\":", name);
}

/* A string that is not there is null. */
static void put_text(struct ck_text *text, const char *name, const char *string)
{
    put_name(text, name);
    if (string && *string)
        ck_put_json_string(text, string);
    else
        ck_put(text, "null");
}

static void put_number(struct ck_text *text, const char *name, uint64_t number)
{
    put_name(text, name);
    ck_put_number(text, number);
}

/* Addresses have more bits than some readers of JSON keep of a number. */
static void put_address(struct ck_text *text, const char *name, uint64_t address)
{
    put_name(text, name);
    ck_put_format(text, "\"0x%llx\"", (unsigned long long)address);
}

/* Puts the members that say where a call is. */
static void put_call(struct ck_text *text, const rill_finding_caller *call)
{
    put_text(text, "file", call->file);
    put_number(text, "line", call->file ? (uint64_t)call->line : 0);
    put_text(text, "function", call->function);
    put_text(text, "module", call->module);
    put_address(text, "offset", call->module ? call->offset : 0);
}

/* Only if somebody asked for callers. */
static void put_callers(struct ck_text *text, const rill_finding_place *place)
{
    if (!place->callers) return;
    put_name(text, "callers");
    for (size_t i = 0; i < place->caller_count; i++) {
        ck_put(text, i ? ",{\"level\":" : "[{\"level\":");
        ck_put_number(text, i + 1);
        put_call(text, &place->callers[i]);
        ck_put(text, "}");
    }
    ck_put(text, place->caller_count ? "]" : "[]");
}

static void put_place(struct ck_text *text, const rill_finding_place *place)
{
    ck_put(text, "{\"what\":");
    ck_put_json_string(text, place->what);
    put_text(text, "does", place->does);
    put_call(text, &(rill_finding_caller){ place->file, place->line, place->function,
                                           place->module, place->offset });
    put_text(text, "stream", place->stream);
    put_number(text, "stream_id", place->stream_id);
    put_number(text, "operation", place->number);
    put_number(text, "node", place->node);
    put_number(text, "within", place->within);
    put_text(text, "launch_file", place->launch_file);
    put_number(text, "launch_line", place->launch_file ? (uint64_t)place->launch_line : 0);
    put_callers(text, place);
    ck_put(text, "}");
}

/* ---- Findings ------------------------------------------------------------------------------ */

static const char *mend_word(rill_mend mend)
{
    switch (mend) {
    case RILL_MEND_WAIT: return "wait";
    case RILL_MEND_EDGE: return "edge";
    case RILL_MEND_SYNC: return "sync";
    case RILL_MEND_NONE: break;
    }
    return NULL;
}

void ck_put_json(struct ck_text *text, const rill_finding *finding)
{
    ck_put_format(text, "{\"kind\":\"%s\"", ck_kinds[finding->kind].word);
    put_text(text, "id", finding->id);
    put_text(text, "sentence", finding->sentence);
    ck_put(text, ",\"places\":[");
    for (size_t i = 0; i < finding->place_count; i++) {
        if (i) ck_put(text, ",");
        put_place(text, &finding->place[i]);
    }
    ck_put(text, "]");
    put_text(text, "memory", finding->memory);
    put_address(text, "address", finding->address);
    put_number(text, "bytes", finding->bytes);
    put_text(text, "mend", mend_word(finding->mend));
    put_text(text, "advice", finding->advice);
    put_name(text, "assumed");
    ck_put(text, finding->assumed ? "true" : "false");
}

void ck_put_json_end(struct ck_text *text, uint64_t count, uint64_t cost_ns)
{
    ck_put(text, ",\"count\":");
    ck_put_number(text, count);
    ck_put(text, ",\"cost_ns\":");
    ck_put_number(text, cost_ns);
    ck_put(text, "}\n");
}
