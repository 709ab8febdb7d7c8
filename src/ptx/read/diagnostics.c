/* SPDX-License-Identifier: Apache-2.0
 *
 * What is said about a text that is wrong, or takes too much memory.
 */
#include "ptx/read/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- What is wrong --------------------------------------------------------------------- */

/* Copies a piece of the text so that it can be printed. */
static void quote_text(char *out, size_t room, const char *at, size_t bytes)
{
    size_t shown = bytes < room - 1 ? bytes : room - 1;
    for (size_t i = 0; i < shown; i++) out[i] = at[i] >= ' ' && at[i] <= '~' ? at[i] : '?';
    out[shown] = 0;
}

__attribute__((format(printf, 6, 0)))
static void write_refusal(struct ptx_reader *reader, rill_status status,
                          const struct ptx_place *place,
                          const char *at, size_t bytes, const char *format, va_list list)
{
    struct ptx_refusal *refusal = reader->refusal;
    char quoted[41];
    if (refusal->status) return;
    quote_text(quoted, sizeof quoted, at, bytes);
    refusal->status = status;
    refusal->line = place->line;
    refusal->column = place->column;
    int used = snprintf(refusal->message, sizeof refusal->message,
                        bytes ? "line %u, column %u, at '%s': " : "line %u, column %u: ",
                        place->line, place->column, quoted);
    vsnprintf(refusal->message + used, sizeof refusal->message - (size_t)used, format, list);
}

__attribute__((format(printf, 3, 0)))
static void refuse_at(struct ptx_reader *reader, const struct ptx_token *token,
                      const char *format, va_list list)
{
    struct ptx_refusal *refusal = reader->refusal;
    bool first = !refusal->status;
    write_refusal(reader, RILL_ERROR_INVALID_PTX, &token->place, token->at, token->bytes, format,
                  list);
    if (!first || token->kind != PTX_TOKEN_END) return;
    size_t used = strlen(refusal->message);
    snprintf(refusal->message + used, sizeof refusal->message - used, ", and the text ends here");
}

bool ptx_error(struct ptx_reader *reader, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    refuse_at(reader, ptx_present(reader), format, list);
    va_end(list);
    return false;
}

bool ptx_error_at(struct ptx_reader *reader, const struct ptx_token *token, const char *format,
                  ...)
{
    va_list list;
    va_start(list, format);
    refuse_at(reader, token, format, list);
    va_end(list);
    return false;
}

bool ptx_error_name(struct ptx_reader *reader, const struct ptx_place *place,
                    const struct ptx_name *name, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    write_refusal(reader, RILL_ERROR_INVALID_PTX, place, name->at, name->bytes, format, list);
    va_end(list);
    return false;
}

bool ptx_error_status(struct ptx_reader *reader, rill_status status, const struct ptx_token *token,
                      const char *format, ...)
{
    va_list list;
    va_start(list, format);
    write_refusal(reader, status, &token->place, token->at, token->bytes, format, list);
    va_end(list);
    return false;
}

/* ---- Memory ---------------------------------------------------------------------------- */

bool ptx_no_memory(struct ptx_reader *reader)
{
    return ptx_error_status(reader, RILL_ERROR_OUT_OF_MEMORY, ptx_present(reader),
                            "there is no memory for this module");
}

bool ptx_too_large(struct ptx_reader *reader)
{
    return ptx_error_status(reader, RILL_ERROR_OUT_OF_MEMORY, ptx_present(reader),
                            "this module takes more memory than the %zu bytes that it may have",
                            reader->limits->module_bytes);
}

bool ptx_short_of_memory(struct ptx_reader *reader, const struct ptx_arena *arena)
{
    return ptx_arena_is_full(arena) ? ptx_too_large(reader) : ptx_no_memory(reader);
}

static void *get_zeroed(struct ptx_reader *reader, struct ptx_arena *arena, size_t bytes)
{
    void *memory = ptx_arena_get(arena, bytes);
    if (!memory) ptx_short_of_memory(reader, arena);
    return memory;
}

void *ptx_get(struct ptx_reader *reader, size_t bytes)
{
    return get_zeroed(reader, reader->arena, bytes);
}

void *ptx_get_scratch(struct ptx_reader *reader, size_t bytes)
{
    return get_zeroed(reader, reader->scratch, bytes);
}

char *ptx_copy_name(struct ptx_reader *reader, const struct ptx_name *name)
{
    char *copy = ptx_get(reader, (size_t)name->bytes + 1);
    if (copy) memcpy(copy, name->at, name->bytes);
    return copy;
}
