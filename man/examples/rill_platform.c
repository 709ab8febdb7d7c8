/* SPDX-License-Identifier: Apache-2.0 */
#include <rill/rill.h>
#include <stdio.h>

int main(void)
{
    const rill_open_options options = { .size = sizeof options, .backend = "sim" };
    rill_platform *platform = NULL;
    rill_context *context = NULL;
    int devices = 0;

    if (rill_open(&options, &platform) || rill_device_count(platform, &devices) ||
        rill_context_create(platform, NULL, &context)) {
        rill_error_print(stderr);
        return 1;
    }
    printf("%d devices\n", devices);
    rill_context_destroy(&context);
    rill_close(&platform);
    return 0;
}
