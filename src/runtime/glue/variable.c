/* SPDX-License-Identifier: Apache-2.0
 *
 * The variables that a program registered, by their addresses in the host's code.
 */
#include "runtime/glue/image.h"

static struct rt_table variables;

void rt_variable_add(struct rt_image *image, const void *symbol, const char *name, size_t bytes)
{
    const struct rt_row row = { .address = symbol, .image = image, .name = name, .bytes = bytes };
    rt_table_add(&variables, &row);
}

void rt_variables_remove(const struct rt_image *image)
{
    rt_table_remove(&variables, image);
}

cudaError_t rt_variable(const void *symbol, CUdeviceptr *address, size_t *bytes)
{
    CUlibrary library;
    struct rt_row *row = rt_table_find(&variables, symbol);
    if (!row) return cudaErrorInvalidSymbol;
    cudaError_t status = rt_image_library(row->image, &library);
    if (status) return status;
    status = (cudaError_t)rt_driver.cuLibraryGetGlobal(address, bytes, library, row->name);
    return status == RILL_ERROR_NOT_FOUND ? cudaErrorInvalidSymbol : status;
}
