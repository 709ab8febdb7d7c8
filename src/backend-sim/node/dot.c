/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/node/dot.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void sim_dot_flush(struct dot *dot)
{
    if (dot->used && !dot->failed && dot->write(dot->data, dot->piece, dot->used))
        dot->failed = true;
    dot->used = 0;
}

static void put_bytes(struct dot *dot, const char *text, size_t bytes)
{
    while (bytes) {
        if (dot->used == DOT_PIECE) sim_dot_flush(dot);
        size_t part = DOT_PIECE - dot->used < bytes ? DOT_PIECE - dot->used : bytes;
        memcpy(dot->piece + dot->used, text, part);
        dot->used += part;
        text += part;
        bytes -= part;
    }
}

void sim_dot_put(struct dot *dot, const char *text)
{
    put_bytes(dot, text, strlen(text));
}

void sim_dot_print(struct dot *dot, const char *format, ...)
{
    char line[256]; /* what is printed is numbers and a few words */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    sim_dot_put(dot, line);
}

/* Writes text with a backslash before each of the special characters. */
static void put_escaped(struct dot *dot, const char *text, const char *special)
{
    for (; *text; text++) {
        if (*text == '\n') {
            put_bytes(dot, "\\n", 2);
            continue;
        }
        if (strchr(special, *text)) put_bytes(dot, "\\", 1);
        put_bytes(dot, text, 1);
    }
}

void sim_dot_quote(struct dot *dot, const char *text)
{
    put_escaped(dot, text, "\"\\");
}

void sim_dot_field(struct dot *dot, const char *text)
{
    put_escaped(dot, text, "\"\\{}|<>");
}
