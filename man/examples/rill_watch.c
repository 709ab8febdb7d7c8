/* SPDX-License-Identifier: Apache-2.0 */
#include <rill/backend.h>
#include <stdio.h>

/* Tells of bytes that a kernel wrote. */
void tell(const rill_touches *touches)
{
    for (size_t i = 0; i < touches->row_count; i++)
        if (touches->rows[i].how & RILL_TOUCH_WRITE)
            printf("%llu bytes at %#llx\n", (unsigned long long)touches->rows[i].bytes,
                   (unsigned long long)touches->rows[i].address);
}
