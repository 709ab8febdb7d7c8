/* SPDX-License-Identifier: Apache-2.0 */
#include <rill/rill.h>
#include <stdio.h>

static void add_one(const rill_launch *launch)
{
    ++*RILL_DEVICE_MEMORY(RILL_ARGUMENT(launch, 0, rill_devptr), int);
}

/* A kernel that is a C function; .code would have it for a GPU. */
rill_status example(rill_context *context)
{
    static const rill_param params[] = { RILL_PARAM(rill_devptr) };
    static const rill_function function = { .name = "add_one",
                                            .over_grid = add_one,
                                            .params = params,
                                            .param_count = 1 };
    const rill_image image = { .size = sizeof image,
                               .functions = &function,
                               .function_count = 1 };
    const rill_dim3 one = { 1, 1, 1 };
    rill_module *module = NULL;
    rill_kernel *kernel;
    rill_devptr number = 0;
    const void *arguments[] = { &number };
    int result = 41;

    rill_status status = rill_module_load(context, &image, &module);
    if (!status) status = rill_module_kernel(module, "add_one", &kernel);
    if (!status) status = rill_mem_alloc(context, sizeof result, &number);
    if (!status) status = rill_memcpy_htod(context, number, &result, sizeof result);
    if (!status)
        status = rill_launch_kernel(rill_stream_legacy(context), kernel, one, one, 0,
                                    arguments);
    if (!status) status = rill_memcpy_dtoh(context, &result, number, sizeof result);
    if (!status) printf("%d\n", result);

    if (number) rill_mem_free(context, number);
    rill_module_unload(&module);
    return status;
}
