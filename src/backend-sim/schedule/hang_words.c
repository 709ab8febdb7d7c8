/* SPDX-License-Identifier: Apache-2.0 */
#include "backend-sim/schedule/hang_words.h"

#include <stdarg.h>
#include <stdio.h>

void sim_hang_begin(struct hang_words *words)
{
    words->length = 0;
    sim_hang_add(words, "the program hangs: nothing can run, and ");
}

void sim_hang_add(struct hang_words *words, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    size_t room = sizeof words->text - words->length;
    int more = vsnprintf(words->text + words->length, room, format, arguments);
    va_end(arguments);
    if (more > 0) words->length += (size_t)more < room ? (size_t)more : room - 1;
}
