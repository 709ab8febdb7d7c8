/* SPDX-License-Identifier: Apache-2.0
 *
 * How the command says that it cannot do something.
 */
#include "command/command.h"

#include <stdarg.h>
#include <stdio.h>

int command_fail(int status, const char *verb, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fprintf(stderr, "rill%s%s: ", *verb ? " " : "", verb);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return status;
}
