/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of a seed: a line a call.
 */
#include "random.h"
#include <stdarg.h>

static void put(struct world *w, const char *format, va_list arguments)
{
    size_t room = TEXT - w->length;
    int n = vsnprintf(w->text + w->length, room, format, arguments);
    if (n > 0) w->length += (size_t)n < room ? (size_t)n : room - 1;
}

void line_out(struct world *w, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    put(w, format, arguments);
    va_end(arguments);
}

void line_call(struct world *w, const char *name, const char *format, ...)
{
    va_list arguments;
    line_out(w, "%d %c %s(", w->step, w->who, name);
    va_start(arguments, format);
    put(w, format, arguments);
    va_end(arguments);
    line_out(w, ") =");
}

/* After these a context takes no more calls, or not reliably. */
static bool stays(const struct world *w, CUresult r)
{
    switch (r) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_DEINITIALIZED: return true;
    case CUDA_ERROR_CONTEXT_IS_DESTROYED: return !w->area->bare;
    default: return false;
    }
}

CUresult line_result(struct world *w, CUresult r)
{
    line_out(w, " %s", ename(r));
    if (stays(w, r)) w->over = true;
    return r;
}

void line_see(struct world *w, const char *format, ...)
{
    va_list arguments;
    line_out(w, " ");
    va_start(arguments, format);
    put(w, format, arguments);
    va_end(arguments);
}

void line_end(struct world *w)
{
    line_out(w, "\n");
}

/* Far more than the notes of one line. */
char *note(struct world *w, const char *format, ...)
{
    static __thread char notes[128][768];
    static __thread unsigned turn;
    char *text = notes[turn++ % 128];
    va_list arguments;
    (void)w;
    va_start(arguments, format);
    vsnprintf(text, sizeof notes[0], format, arguments);
    va_end(arguments);
    return text;
}
