/* SPDX-License-Identifier: Apache-2.0
 *
 * The record of a failure as text for people.
 */
#include <rill/error.h>

#include <inttypes.h>
#include <stdarg.h>

/* A text that is cut where there is no more room, and measured all the same. */
struct sheet {
    char *text;
    size_t size, length;
};

static void add(struct sheet *sheet, const char *format, ...) RILL_PRINTF_FORMAT(2, 3);

static void add(struct sheet *sheet, const char *format, ...)
{
    size_t room = sheet->length < sheet->size ? sheet->size - sheet->length : 0;
    va_list values;
    va_start(values, format);
    int written = vsnprintf(room ? sheet->text + sheet->length : NULL, room, format, values);
    va_end(values);
    if (written > 0) sheet->length += (size_t)written;
}

static const char *name_of(rill_status status)
{
    const char *name = rill_error_name(status);
    return name ? name : "unknown status";
}

static void add_cause(struct sheet *sheet, const rill_error_cause *cause)
{
    if (!cause->status) return;
    add(sheet, "  cause: %s", name_of(cause->status));
    if (*cause->operation) add(sheet, " in %s", cause->operation);
    if (*cause->object) add(sheet, " on %s", cause->object);
    if (cause->thread) add(sheet, ", thread %" PRIu64, cause->thread);
    add(sheet, "\n");
}

static void add_record(struct sheet *sheet, const rill_error *record)
{
    if (!record->status) return;
    add(sheet, "%s: %s: %s\n", record->operation ? record->operation : "rill",
        name_of(record->status), record->message);
    if (record->argument) add(sheet, "  argument: %s\n", record->argument);
    if (*record->object) add(sheet, "  object: %s\n", record->object);
    add_cause(sheet, &record->cause);
}

size_t rill_error_format(char *text, size_t size)
{
    struct sheet sheet = { text, size, 0 };
    if (size) *text = 0;
    add_record(&sheet, rill_last_error());
    return sheet.length;
}

void rill_error_print(FILE *out)
{
    char text[2 * sizeof(rill_error)];
    rill_error_format(text, sizeof text);
    fputs(text, out ? out : stderr);
}
