/* SPDX-License-Identifier: Apache-2.0 */
#include <rill/rill.h>
#include <rill/sim.h>
#include <stdio.h>

/* Two devices with 1 GiB each, and which operations run when is always the same. */
int main(void)
{
    const rill_sim_options sim = { .size = sizeof sim,
                                   .devices = 2,
                                   .memory_bytes = 1u << 30,
                                   .schedule = "late" };
    const rill_open_options options = { .size = sizeof options,
                                        .backend = "sim",
                                        .sim = &sim };
    rill_platform *platform = NULL;
    rill_device_info info = { .size = sizeof info };

    if (rill_open(&options, &platform) || rill_device_get_info(platform, 1, &info)) {
        rill_error_print(stderr);
        return 1;
    }
    printf("device 1 is a '%s'\n", info.name);
    rill_close(&platform);
    return 0;
}
