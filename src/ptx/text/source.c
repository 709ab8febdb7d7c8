/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx/text/source.h"

#include <stdio.h>
#include <string.h>

/* As much of a file's name as leaves room for two of them. */
enum { FILE_NAME_MAX = 40 };

/* Returns the text that a line of the module is in. */
static const struct ptx_source *find_source(const struct ptx_module *module, uint32_t line)
{
    uint32_t from = 0, to = module->source_count;
    while (to - from > 1) {
        uint32_t middle = from + (to - from) / 2;
        if (module->sources[middle].before < line) from = middle;
        else to = middle;
    }
    return from < to ? &module->sources[from] : NULL;
}

/* Returns the last location that begins in a line of the text or before it, or NULL. */
static const struct ptx_location *find_location(const struct ptx_source *source, uint32_t line)
{
    uint32_t from = 0, to = source->location_count;
    while (from < to) {
        uint32_t middle = from + (to - from) / 2;
        if (source->locations[middle].line <= line) from = middle + 1;
        else to = middle;
    }
    return from ? &source->locations[from - 1] : NULL;
}

/* Returns the place that calls led to this location from.  The callers of a caller are told where
 * its spot was the location before. */
static const struct ptx_spot *find_outermost(const struct ptx_source *source,
                                             const struct ptx_location *location)
{
    const struct ptx_spot *caller = &location->caller;
    while (caller->line && location-- > source->locations)
        if (location->caller.line && !memcmp(&location->spot, caller, sizeof *caller))
            caller = &location->caller;
    return caller;
}

/* Returns NULL if the text does not name the file. */
static const char *file_of(const struct ptx_source *source, const struct ptx_spot *spot)
{
    for (uint32_t i = 0; spot->line && i < source->file_count; i++)
        if (source->files[i].number == spot->file) return source->files[i].name;
    return NULL;
}

uint32_t ptx_describe_line(const struct ptx_module *module, uint32_t line,
                           char words[PTX_PLACE_WORDS])
{
    const struct ptx_source *source = find_source(module, line);
    if (source) line -= source->before;
    const struct ptx_location *location = source ? find_location(source, line) : NULL;
    const char *file = location ? file_of(source, &location->spot) : NULL;
    if (!file) {
        snprintf(words, PTX_PLACE_WORDS, "line %u", line);
        return line;
    }
    int used = snprintf(words, PTX_PLACE_WORDS, "%.*s:%u", FILE_NAME_MAX, file,
                        location->spot.line);
    const struct ptx_spot *caller = find_outermost(source, location);
    if ((file = file_of(source, caller)))
        snprintf(words + used, PTX_PLACE_WORDS - (size_t)used, " (called from %.*s:%u)",
                 FILE_NAME_MAX, file, caller->line);
    return line;
}
