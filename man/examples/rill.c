/* SPDX-License-Identifier: Apache-2.0 */
#include <rill/rill.h>
#include <stdio.h>

rill_status example(rill_context *context)
{
    rill_platform *platform;
    const char *backend;
    rill_status status = rill_context_platform(context, &platform);
    if (!status) status = rill_platform_backend(platform, &backend);
    if (!status) printf("rill %s over %s\n", rill_version(), backend);
    return status;
}
