/* SPDX-License-Identifier: Apache-2.0 */
#include <rill/rill.h>
#include <stdio.h>

/* What a status is called, and what it means for the device. */
rill_status example(rill_context *context)
{
    rill_status status = rill_mem_free(context, 1);
    printf("%s: %s\n", rill_error_name(status), rill_error_string(status));
    return rill_error_is_sticky(status) ? status : RILL_SUCCESS;
}
