/* SPDX-License-Identifier: Apache-2.0 */
#include "layer-check/report/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"

struct ck_text ck_text_in(char *room, size_t size)
{
    struct ck_text text = { .bytes = room, .room = size, .given = true };
    if (size) room[0] = 0;
    return text;
}

void ck_text_fini(struct ck_text *text)
{
    if (!text->given) rl_free(text->bytes);
    *text = (struct ck_text){ .bytes = NULL };
}

/* Makes room for so many more bytes and a 0.  Returns false, and says so in the text, if
 * there is none. */
static bool make_room(struct ck_text *text, size_t more)
{
    if (text->cut) return false;
    if (more < text->room - text->size) return true;
    size_t room = (text->size + more + 1) * 2;
    char *bytes = text->given ? NULL : rl_alloc(room);
    if (!bytes) {
        text->cut = true;
        return false;
    }
    if (text->bytes) memcpy(bytes, text->bytes, text->size + 1);
    rl_free(text->bytes);
    text->bytes = bytes;
    text->room = room;
    return true;
}

void ck_put_bytes(struct ck_text *text, const char *bytes, size_t size)
{
    if (!make_room(text, size)) return;
    memcpy(text->bytes + text->size, bytes, size);
    text->size += size;
    text->bytes[text->size] = 0;
}

void ck_put(struct ck_text *text, const char *words)
{
    ck_put_bytes(text, words, strlen(words));
}

void ck_put_blanks(struct ck_text *text, size_t count)
{
    while (count--) ck_put_bytes(text, " ", 1);
}

void ck_put_number(struct ck_text *text, uint64_t number)
{
    char digits[24];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    ck_put_bytes(text, digits + at, sizeof digits - at);
}

void ck_put_format(struct ck_text *text, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int size = vsnprintf(NULL, 0, format, arguments);
    if (size >= 0 && make_room(text, (size_t)size)) {
        vsnprintf(text->bytes + text->size, (size_t)size + 1, format, again);
        text->size += (size_t)size;
    }
    va_end(again);
    va_end(arguments);
}
