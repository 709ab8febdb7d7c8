/* SPDX-License-Identifier: Apache-2.0
 *
 * Explains a call of the driver's that failed.
 */
#include "backend-cuda/context/fail.h"

#include <stdarg.h>
#include <stdio.h>

#include "backend-cuda/context/capture_list.h"

const char *cuda_text(CUresult result)
{
    const char *text = NULL;
    if (!cuda_api.GetErrorString || cuda_api.GetErrorString(result, &text)) return NULL;
    return text;
}

static const char *name_of_result(CUresult result)
{
    const char *name = NULL;
    if (!cuda_api.GetErrorName || cuda_api.GetErrorName(result, &name) || !name)
        return "an unknown status";
    return name;
}

#define ADVICE_BYTES 160

/* The driver does not say which capture is in the way.  If there is only one, it is that. */
static const char *advise_on_capture(char room[ADVICE_BYTES])
{
    char stream[RILL_LABEL_MAX];
    cuda_capture_tell(stream);
    snprintf(room, ADVICE_BYTES,
             "%s is capturing, and this call is not one that a capture can take",
             stream[0] ? stream : "a stream");
    return room;
}

/* Returns what to do about a failure, which the driver does not say, or NULL. */
static const char *advise(rill_status status, char room[ADVICE_BYTES])
{
    if (rill_error_is_sticky(status))
        return "the context is lost and every later call in it answers the same; run the work in "
               "a new process, under compute-sanitizer to find the access";
    switch ((int)status) {
    case RILL_ERROR_INVALID_CONTEXT: return "the context was ended outside rill";
    case RILL_ERROR_NOT_PERMITTED: return "a host function may not make calls that need a context";
    case RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED: return advise_on_capture(room);
    case RILL_ERROR_STREAM_CAPTURE_IMPLICIT:
        return "the legacy stream would have to wait for a stream that captures";
    case RILL_ERROR_UNSUPPORTED_PTX_VERSION:
    case RILL_ERROR_NO_BINARY_FOR_GPU:
        return "the code was built for another GPU or a newer driver";
    }
    return NULL;
}

rill_status cuda_fail(CUresult result, const char *call, const char *argument)
{
    rill_status status = (rill_status)result;
    if (status == RILL_ERROR_NOT_READY) return status; /* an answer */
    char room[ADVICE_BYTES];
    const char *text = cuda_text(result), *more = advise(status, room);
    rill_backend_fail(status, argument, "%s answered %s (%s)%s%s", call, name_of_result(result),
                      text ? text : "no description", more ? "; " : "", more ? more : "");
    cuda_capture_suffered(status);
    return status;
}

rill_status cuda_blame(CUresult result, const char *call, const char *argument,
                       const char *format, ...)
{
    rill_status status = (rill_status)result;
    const char *text = cuda_text(result);
    char why[RILL_ERROR_MESSAGE_MAX / 2];
    va_list values;
    va_start(values, format);
    vsnprintf(why, sizeof why, format, values);
    va_end(values);
    rill_backend_fail(status, argument, "%s; %s answered %s (%s)", why, call,
                      name_of_result(result), text ? text : "no description");
    cuda_capture_suffered(status);
    return status;
}
