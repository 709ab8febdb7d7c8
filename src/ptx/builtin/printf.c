/* SPDX-License-Identifier: Apache-2.0
 *
 * printf() of a kernel, and what an assertion that fails prints.
 *
 * What a call prints is put together in one piece and handed over at once, so that the
 * pieces of threads that print at the same time are never mixed.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "ptx/builtin/builtin.h"
#include "ptx/run/copy_in.h"
#include "ptx/run/fault.h"
#include "ptx/run/memory.h"

#define TEXT_ROOM ((size_t)65536)   /* of what one call prints     */
#define FORMAT_ROOM ((size_t)16384) /* of a format                 */
#define WIDEST 32768                /* field, and longest precision */

/* One call of one thread. */
struct print {
    struct ptx_group *group;
    const struct ptx_step *step;
    uint32_t lane;
    uint64_t arguments;      /* the address of the next one */
    int taken;               /* arguments                   */
    char *text, *format;     /* TEXT_ROOM, FORMAT_ROOM      */
    size_t used;
    bool failed;             /* the lane has                */
    bool full;               /* or it does not fit          */
};

/* %[flags][width][.precision][length]conversion */
struct field {
    char flags[8];
    int width, precision;    /* -1 for none                 */
    unsigned bytes;          /* of an integer               */
    char conversion;
};

static void put_text(struct print *print, const char *text, size_t bytes)
{
    if (bytes > TEXT_ROOM - 1 - print->used) {
        print->full = true;
        return;
    }
    memcpy(print->text + print->used, text, bytes);
    print->used += bytes;
}

__attribute__((format(printf, 2, 3)))
static void put_formatted(struct print *print, const char *format, ...)
{
    size_t room = TEXT_ROOM - print->used;
    va_list list;
    va_start(list, format);
    int bytes = vsnprintf(print->text + print->used, room, format, list);
    va_end(list);
    if (bytes < 0 || (size_t)bytes >= room) print->full = true;
    else print->used += (size_t)bytes;
}

/* Returns the next argument.  Each lies on a multiple of its size. */
static uint64_t take_argument(struct print *print, unsigned bytes)
{
    uint64_t value = 0;
    uint32_t narrow = 0;
    print->arguments = (print->arguments + bytes - 1) & ~(uint64_t)(bytes - 1);
    bool good = bytes == 4 ? ptx_copy_in(print->group, print->step, print->lane,
                                         print->arguments, &narrow, 4)
                           : ptx_copy_in(print->group, print->step, print->lane,
                                         print->arguments, &value, 8);
    print->arguments += bytes;
    print->taken++;
    print->failed |= !good;
    return bytes == 4 ? narrow : value;
}

/* ---- Reading a format --------------------------------------------------------------------- */

static const char *read_format_number(struct print *print, const char *at, int *number)
{
    *number = 0;
    if (*at == '*') {
        *number = (int)(uint32_t)take_argument(print, 4);
        return at + 1;
    }
    for (; *at >= '0' && *at <= '9'; at++)
        if (*number <= WIDEST) *number = *number * 10 + (*at - '0');
    return at;
}

static const char *read_length(const char *at, unsigned *bytes)
{
    *bytes = 4;
    switch (*at) {
    case 'h':
        *bytes = at[1] == 'h' ? 1 : 2;
        return at + (at[1] == 'h' ? 2 : 1);
    case 'l':
        *bytes = 8;
        return at + (at[1] == 'l' ? 2 : 1);
    case 'z': case 'j': case 't':
        *bytes = 8;
        return at + 1;
    default:
        return at;
    }
}

/* Reads the rest of a field and returns what follows it. */
static const char *read_field(struct print *print, const char *at, struct field *field)
{
    *field = (struct field){ .width = -1, .precision = -1 };
    for (size_t n = 0; *at && strchr("-+ #0", *at); at++)
        if (n < sizeof field->flags - 3 && !strchr(field->flags, *at)) field->flags[n++] = *at;
    if (*at == '*' || (*at >= '1' && *at <= '9')) at = read_format_number(print, at, &field->width);
    if (*at == '.') at = read_format_number(print, at + 1, &field->precision);
    if (field->width < -1) {
        field->width = field->width < -WIDEST ? WIDEST + 1 : -field->width;
        if (!strchr(field->flags, '-')) strcat(field->flags, "-");
    }
    if (field->precision < 0) field->precision = -1;
    print->full |= field->width > WIDEST || field->precision > WIDEST;
    at = read_length(at, &field->bytes);
    field->conversion = *at;
    return *at ? at + 1 : at;
}

/* ---- Printing a field --------------------------------------------------------------------- */

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

/* Writes a format of C's, "%-08*.*lld" or the like, with `length` before the conversion. */
static void specify_conversion(const struct field *field, const char *length,
                               char specification[32])
{
    snprintf(specification, 32, "%%%s%s%s%s%c", field->flags, field->width >= 0 ? "*" : "",
             field->precision >= 0 ? ".*" : "", length, field->conversion);
}

/* Width and precision are arguments if they are there at all. */
#define PUT_FIELD(print, field, specification, value) \
    ((field)->width >= 0 && (field)->precision >= 0 \
         ? put_formatted(print, specification, (field)->width, (field)->precision, value) \
     : (field)->width >= 0 ? put_formatted(print, specification, (field)->width, value) \
     : (field)->precision >= 0 ? put_formatted(print, specification, (field)->precision, value) \
                               : put_formatted(print, specification, value))

static void put_integer(struct print *print, const struct field *field)
{
    char specification[32];
    uint64_t value = take_argument(print, field->bytes == 8 ? 8 : 4);
    bool is_signed = field->conversion == 'd' || field->conversion == 'i';
    unsigned unused = 64 - 8 * field->bytes;
    value = is_signed ? (uint64_t)((int64_t)(value << unused) >> unused)
                      : value << unused >> unused;
    specify_conversion(field, "ll", specification);
    PUT_FIELD(print, field, specification, (long long)value);
}

static void put_float(struct print *print, const struct field *field)
{
    char specification[32];
    uint64_t bits = take_argument(print, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    specify_conversion(field, "", specification);
    PUT_FIELD(print, field, specification, value);
}

static void put_pointer(struct print *print, const struct field *field)
{
    char specification[32];
    void *value = (void *)(uintptr_t)take_argument(print, 8);
    specify_conversion(field, "", specification);
    PUT_FIELD(print, field, specification, value);
}

#pragma GCC diagnostic pop

/* Prints a string; no more of it is looked at than its precision allows. */
static void put_string(struct print *print, const struct field *field)
{
    uint64_t address = take_argument(print, 8);
    if (print->failed || print->full) return;
    bool left = strchr(field->flags, '-');
    size_t room = TEXT_ROOM - print->used, most = room;
    if (field->precision >= 0 && (size_t)field->precision < room)
        most = (size_t)field->precision + 1;
    char *at = print->text + print->used;
    size_t length = address ? ptx_copy_text(print->group, print->step, print->lane, address, at,
                                            most)
                            : (size_t)snprintf(at, most, "(null)");
    if (length == SIZE_MAX) {
        print->failed = true;
        return;
    }
    if (length > most - 1) length = most - 1;
    size_t width = field->width > 0 && (size_t)field->width > length ? (size_t)field->width
                                                                     : length;
    if (width >= room || (most == room && length + 1 == room)) {
        print->full = true;
        return;
    }
    if (!left) memmove(at + (width - length), at, length);
    memset(left ? at + length : at, ' ', width - length);
    print->used += width;
}

static void put_character(struct print *print, const struct field *field)
{
    char character = (char)take_argument(print, 4);
    int width = field->width > 1 && !print->full ? field->width : 1;
    bool left = strchr(field->flags, '-');
    if (!left && width > 1) put_formatted(print, "%*s", width - 1, "");
    put_text(print, &character, 1);
    if (left && width > 1) put_formatted(print, "%*s", width - 1, "");
}

/* Prints a field; what is no conversion is printed as it stands. */
static void put_field(struct print *print, const struct field *field, const char *from,
                      const char *to)
{
    switch (field->conversion) {
    case 'd': case 'i': case 'u': case 'o': case 'x': case 'X':
        put_integer(print, field);
        break;
    case 'e': case 'E': case 'f': case 'F': case 'g': case 'G': case 'a': case 'A':
        put_float(print, field);
        break;
    case 'c': put_character(print, field); break;
    case 's': put_string(print, field); break;
    case 'p': put_pointer(print, field); break;
    case '%': put_text(print, "%", 1); break;
    default: put_text(print, from, (size_t)(to - from)); break;
    }
}

static void put_all(struct print *print)
{
    const char *at = print->format;
    while (*at && !print->failed && !print->full) {
        const char *percent = strchr(at, '%');
        put_text(print, at, percent ? (size_t)(percent - at) : strlen(at));
        if (!percent) return;
        struct field field;
        at = read_field(print, percent + 1, &field);
        if (!print->failed && !print->full) put_field(print, &field, percent, at);
    }
}

static void hand_over(const struct print *print)
{
    const struct ptx_host *host = print->group->block->tlb->host;
    if (print->used && host->print) host->print(host->data, print->text, print->used);
}

/* Prints one call and returns what it returns: how many arguments it took, or -1. */
static int print_one(struct print *print, uint64_t format, uint64_t arguments)
{
    if (format == 0) return -1;
    size_t length = ptx_copy_text(print->group, print->step, print->lane, format, print->format,
                                  FORMAT_ROOM);
    print->failed = length == SIZE_MAX;
    print->full = length + 1 == FORMAT_ROOM;
    print->arguments = arguments;
    print->taken = 0;
    print->used = 0;
    if (!print->failed && !print->full) put_all(print);
    if (print->failed || print->full) return -1;
    hand_over(print);
    return print->taken;
}

void ptx_vprintf(struct ptx_group *group, const struct ptx_step *step)
{
    const uint64_t *format = PTX_ARGUMENT(group, step, 0, const uint64_t);
    const uint64_t *arguments = PTX_ARGUMENT(group, step, 1, const uint64_t);
    int32_t *d = step->d == PTX_NO_COLUMN ? NULL : PTX_COLUMN(group, step->d, int32_t);
    struct print print = { .group = group, .step = step };
    print.text = rl_alloc(TEXT_ROOM + FORMAT_ROOM);
    if (print.text) print.format = print.text + TEXT_ROOM;
    PTX_IN_TURN(group, i) {
        print.lane = i;
        int32_t taken = print.text ? print_one(&print, format[i], arguments[i]) : -1;
        if (d) d[i] = taken;
        if (print.failed) break;
    }
    rl_free(print.text);
}

/* ---- Assertions --------------------------------------------------------------------------- */

struct assertion {
    char message[400], file[200], function[200];
};

static void fetch_string(struct ptx_group *group, const struct ptx_step *step, uint32_t lane,
                         unsigned argument, char *to, size_t room)
{
    uint64_t address = PTX_ARGUMENT(group, step, argument, const uint64_t)[lane];
    if (!address || ptx_copy_text(group, step, lane, address, to, room) == SIZE_MAX)
        snprintf(to, room, "?");
}

void ptx_assertfail(struct ptx_group *group, const struct ptx_step *step)
{
    const struct ptx_host *host = group->block->tlb->host;
    const uint32_t *line = PTX_ARGUMENT(group, step, 2, const uint32_t);
    const uint32_t *block = group->block->index;
    PTX_IN_TURN(group, i) {
        struct assertion assertion;
        uint32_t thread[3];
        char text[1000];
        fetch_string(group, step, i, 0, assertion.message, sizeof assertion.message);
        fetch_string(group, step, i, 1, assertion.file, sizeof assertion.file);
        fetch_string(group, step, i, 3, assertion.function, sizeof assertion.function);
        ptx_thread_place(group, i, thread);
        int bytes = snprintf(text, sizeof text,
                             "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s' "
                             "failed.\n", assertion.file, line[i], assertion.function, block[0],
                             block[1], block[2], thread[0], thread[1], thread[2],
                             assertion.message);
        if (bytes > 0 && host->print) host->print(host->data, text, (size_t)bytes);
        ptx_fail(group, step, i, RILL_ERROR_ASSERT, 0, "assertion `%s' failed at %s:%u in %s",
                 assertion.message, assertion.file, line[i], assertion.function);
    }
}
