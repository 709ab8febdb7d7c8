/* SPDX-License-Identifier: Apache-2.0
 *
 * The suite over the NVIDIA driver, where there is one.
 */
#include <string.h>

#include "conformance/kernels_ptx.h"
#include "conformance/suite.h"

static rill_status open_cuda(int devices, rill_platform **platform)
{
    const rill_open_options options = { .size = sizeof options, .backend = "cuda" };
    rill_status status = rill_open(&options, platform);
    int count = 0;
    if (status || (rill_device_count(*platform, &count) == RILL_SUCCESS && count >= devices))
        return status;
    rill_close(platform);
    return RILL_ERROR_INVALID_DEVICE;
}

static bool excuses(rill_status status)
{
    return status == RILL_ERROR_SHARED_OBJECT_INIT_FAILED || status == RILL_ERROR_NO_DEVICE ||
           status == RILL_ERROR_STUB_LIBRARY || status == RILL_ERROR_CALL_REQUIRES_NEWER_DRIVER;
}

static const char *code_of(const char *kernel)
{
    static const char *const conditions[] = { "set", "down" };
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        if (!strcmp(kernel, conditions[i])) return suite_conditions_ptx;
    return suite_kernels_ptx;
}

int main(int count, char **arguments)
{
    static const rill_function function = { .name = "fault" };
    static const struct suite_backend backend = {
        .name = "cuda",
        .apart = 8,
        .open = open_cuda,
        .excuses = excuses,
        .fault = &function,
        .fault_message = "unspecified launch failure",
        .code_of = code_of,
        /* .expects: hardware does none of it, see suite.h. */
    };
    return suite_main(&backend, count, arguments);
}
