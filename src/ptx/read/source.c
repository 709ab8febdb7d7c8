/* SPDX-License-Identifier: Apache-2.0
 *
 * Directives that tell which lines of which files a compiler made the text of.
 */
#include "ptx/text/source.h"

#include <string.h>

#include "ptx/read/reader.h"

/* ---- Files ----------------------------------------------------------------------------- */

/* Copies a name in quotes without its folders, whose compiler may have run on Windows, so that it
 * can be printed. */
static char *copy_file_name(struct ptx_reader *reader, const struct ptx_token *token)
{
    const char *at = token->at + 1, *end = token->at + token->bytes - 1;
    for (const char *c = at; c < end; c++)
        if (*c == '/' || *c == '\\') at = c + 1;
    char *name = ptx_get(reader, (size_t)(end - at) + 1);
    for (size_t i = 0; name && at < end; i++, at++)
        name[i] = *at >= ' ' && *at <= '~' ? *at : '?';
    return name;
}

/* Reads NUMBER "NAME" [, NUMBER, NUMBER]. */
bool ptx_read_file(struct ptx_reader *reader)
{
    uint64_t number, ignored;
    if (!ptx_read_count(reader, UINT64_MAX, "the number of a file", &number)) return false;
    if (!ptx_at(reader, PTX_TOKEN_STRING))
        return ptx_error(reader, "the name of a file is missing");
    if (number <= UINT32_MAX) {
        struct ptx_source_file *file = ptx_push(reader, &reader->files);
        if (!file || !(file->name = copy_file_name(reader, ptx_present(reader)))) return false;
        file->number = (uint32_t)number;
    }
    ptx_next(reader);
    while (ptx_accept_mark(reader, ','))
        if (!ptx_read_count(reader, UINT64_MAX, "a number", &ignored)) return false;
    return true;
}

/* ---- Locations ------------------------------------------------------------------------- */

/* Reads FILE LINE COLUMN.  Numbers that are no such numbers make no spot; they are not refused,
 * since nothing depends on them. */
static void read_spot(struct ptx_reader *reader, struct ptx_spot *spot)
{
    uint32_t numbers[3] = { 0, 0, 0 };
    bool fits = true;
    for (unsigned i = 0; ptx_at(reader, PTX_TOKEN_NUMBER); i++, ptx_next(reader)) {
        struct ptx_value value;
        fits = fits && i < 3 && !ptx_number(ptx_present(reader), &value) &&
               (value.kind == PTX_VALUE_SIGNED || value.kind == PTX_VALUE_UNSIGNED) &&
               value.bits <= UINT32_MAX;
        if (fits) numbers[i] = (uint32_t)value.bits;
    }
    if (fits) *spot = (struct ptx_spot){ numbers[0], numbers[1], numbers[2] };
}

/* Reads FILE LINE COLUMN [, function_name NAME [+ N] [, inlined_at FILE LINE COLUMN]], which ends
 * without a mark, so where the next statement begins. */
bool ptx_read_location(struct ptx_reader *reader)
{
    struct ptx_location *location = ptx_push(reader, &reader->locations);
    if (!location) return false;
    read_spot(reader, &location->spot);
    while (ptx_accept_mark(reader, ',')) {
        struct ptx_spot other = { 0, 0, 0 };
        bool inlined = ptx_accept(reader, "inlined_at");
        if (!inlined) ptx_next(reader); /* function_name */
        if (ptx_at(reader, PTX_TOKEN_NAME)) ptx_next(reader);
        do read_spot(reader, &other);
        while (ptx_accept_mark(reader, '+'));
        if (inlined) location->caller = other;
    }
    location->line = ptx_present(reader)->place.line;
    return true;
}

bool ptx_forget_location(struct ptx_reader *reader)
{
    if (!reader->locations.count) return true;
    struct ptx_location *location = ptx_push(reader, &reader->locations);
    if (location) location->line = ptx_present(reader)->place.line;
    return location;
}

/* ---- The whole ------------------------------------------------------------------------- */

bool ptx_take_source(struct ptx_reader *reader)
{
    struct ptx_source *source = ptx_get(reader, sizeof *source);
    if (!source) return false;
    source->lines = ptx_present(reader)->place.line;
    reader->module->sources = source;
    reader->module->source_count = 1;
    return ptx_pop_from(reader, &reader->files, 0, &source->files, &source->file_count) &&
           ptx_pop_from(reader, &reader->locations, 0, &source->locations,
                        &source->location_count);
}
