/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/abi/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/words/runtime_status.h"

void rt_log(const char *format, ...)
{
    char line[1024]; /* written at once, so that lines of several processes do not mix */
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(stderr, "rill: %s\n", line);
}

int rt_log_name_length(const char *call)
{
    const char *form = strstr(call, "_v");
    return (int)(form ? (size_t)(form - call) : strlen(call));
}

void rt_log_failure(const char *call, cudaError_t status, const char *words)
{
    if (status == RILL_ERROR_NOT_READY) return;
    rt_log("%.*s: %s: %s", rt_log_name_length(call), call, rl_runtime_status_name(status),
           words ? words : rl_runtime_status_words(status));
}
