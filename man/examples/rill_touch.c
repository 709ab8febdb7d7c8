/* SPDX-License-Identifier: Apache-2.0 */
#include <rill/check.h>
#include <rill/rill.h>

/* A kernel that tells the layer check that it reads one array and writes another. */
void scale(const rill_launch *launch)
{
    rill_devptr from = RILL_ARGUMENT(launch, 0, rill_devptr);
    rill_devptr to = RILL_ARGUMENT(launch, 1, rill_devptr);
    size_t count = RILL_ARGUMENT(launch, 2, size_t);

    rill_touch(from, count * sizeof(float), RILL_TOUCH_READ);
    rill_touch(to, count * sizeof(float), RILL_TOUCH_WRITE);
    for (size_t i = 0; i < count; i++)
        RILL_DEVICE_MEMORY(to, float)[i] = 2 * RILL_DEVICE_MEMORY(from, float)[i];
}
