/* SPDX-License-Identifier: Apache-2.0 */
#include "core/object/options.h"

#include <rill/backend.h>

#include <string.h>

/* The most by which a struct can grow; a larger size is uninitialized memory. */
#define GROWTH_MAX 4096

static size_t size_of(const void *given)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

rill_status rl_check_output(const void *given, size_t bytes, const char *argument)
{
    size_t size = size_of(given);
    if (size >= bytes && size <= bytes + GROWTH_MAX) return RILL_SUCCESS;
    return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument,
                             "%s is %zu; set it to the sizeof of the struct, which is %zu here",
                             argument, size, bytes);
}

rill_status rl_read_options(const void *given, void *known, size_t bytes, const char *argument)
{
    memset(known, 0, bytes);
    if (given) {
        rill_status status = rl_check_output(given, bytes, argument);
        if (status) return status;
        const unsigned char *byte = given, *end = byte + size_of(given);
        for (byte += bytes; byte < end; byte++)
            if (*byte)
                return rill_backend_fail(RILL_ERROR_INVALID_VALUE, argument,
                                         "%s covers fields that this version of the library does "
                                         "not know; leave them zero",
                                         argument);
        memcpy(known, given, bytes);
    }
    memcpy(known, &bytes, sizeof bytes);
    return RILL_SUCCESS;
}

void rl_write_output(void *given, const void *full, size_t bytes)
{
    size_t size = size_of(given);
    memcpy(given, full, bytes < size ? bytes : size);
    if (size > bytes) memset((unsigned char *)given + bytes, 0, size - bytes);
    memcpy(given, &size, sizeof size);
}
