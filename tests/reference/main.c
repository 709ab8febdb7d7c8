/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the example of a manual page (man/examples), which has no main() of its own.
 */
#include <rill/rill.h>
#include <stdio.h>

rill_status example(rill_context *context);

int main(void)
{
    rill_platform *platform = NULL;
    rill_context *context = NULL;
    rill_status status = rill_open(NULL, &platform);
    if (!status) status = rill_context_create(platform, NULL, &context);
    if (!status) status = example(context);
    if (status) rill_error_print(stderr);
    rill_context_destroy(&context);
    if (!status) status = rill_close(&platform);
    return status != RILL_SUCCESS;
}
