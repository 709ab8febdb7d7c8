/* SPDX-License-Identifier: Apache-2.0
 *
 * Questions about statuses.
 */
#include "standin/abi/status.h"
#include "standin/object/entry.h"

ENTRY(cuGetErrorName, (CUresult status, const char **name), (status, name))
{
    if (!name) return RILL_ERROR_INVALID_VALUE;
    *name = si_status_name(status);
    return *name ? RILL_SUCCESS : RILL_ERROR_INVALID_VALUE;
}

ENTRY(cuGetErrorString, (CUresult status, const char **text), (status, text))
{
    if (!text) return RILL_ERROR_INVALID_VALUE;
    *text = si_status_words(status);
    return *text ? RILL_SUCCESS : RILL_ERROR_INVALID_VALUE;
}
