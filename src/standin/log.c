/* SPDX-License-Identifier: Apache-2.0
 *
 * Words for the user, if RILL_LOG asks for them.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/thread.h"
#include "standin/standin.h"

int si_log_wants(const char *word)
{
    const char *words = rl_getenv("RILL_LOG");
    size_t length = strlen(word);
    while (words && *words) {
        size_t next = strcspn(words, ", ");
        if (next == length && !memcmp(words, word, length)) return 1;
        words += next;
        words += strspn(words, ", ");
    }
    return 0;
}

void si_log(const char *format, ...)
{
    char line[2048]; /* one piece, so that lines of several processes do not mix */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(stderr, "rill: %s\n", line);
}

/* ---- Profilers ---------------------------------------------------------------------------
 *
 * Programs that bracket what a profiler is to look at run without one, too.
 */

ENTRY(cuProfilerStart, void)
{
    return si_check_ready();
}

ENTRY(cuProfilerStop, void)
{
    return si_check_ready();
}
