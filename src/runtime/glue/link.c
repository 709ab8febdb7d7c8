/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime/glue/link.h"

#include <stddef.h>

#include "runtime/abi/fatbin.h"

enum { INPUT_FATBIN = 2 }; /* the driver's number of a kind of input */

/* What is no fatbin is PTX, or a cubin, which nobody links in parts. */
bool rt_has_ptx(const void *image)
{
    const struct rt_fatbin_head *head = image;
    if (head->magic != RT_FATBIN_HEAD_MAGIC) return true;
    const char *at = (const char *)image + head->head_bytes, *end = at + head->bytes;
    while (end - at >= (ptrdiff_t)sizeof(struct rt_fatbin_entry)) {
        const struct rt_fatbin_entry *entry = (const void *)at;
        if (entry->kind == RT_FATBIN_PTX) return true;
        const unsigned long long left = (unsigned long long)(end - at);
        /* An entry that says less than it is would be met again and again. */
        if (entry->head_bytes < sizeof *entry || entry->head_bytes > left ||
            entry->bytes > left - entry->head_bytes)
            break;
        at += entry->head_bytes + entry->bytes;
    }
    return false;
}

/* Leaves out parts that a driver cannot link, since they are machine code alone: what they define
 * and others need is missed at the end. */
static CUresult add_parts(CUlinkState state, void *const *parts)
{
    CUresult status = RILL_SUCCESS, refused = RILL_SUCCESS;
    unsigned added = 0;
    for (; !status && *parts; parts++) {
        const struct rt_fatbin_head *head = *parts;
        size_t bytes = head->head_bytes + (size_t)head->bytes;
        status = rt_driver.cuLinkAddData_v2(state, INPUT_FATBIN, *parts, bytes, "", 0, NULL, NULL);
        if (!status) added++;
        if (status == RILL_ERROR_NOT_SUPPORTED) refused = status, status = RILL_SUCCESS;
    }
    return status || added ? status : refused;
}

/* The linked image is the driver's until the state is destroyed. */
cudaError_t rt_link(void *const *parts, CUlibrary *library)
{
    CUlinkState state;
    void *image;
    size_t bytes;
    CUresult status = rt_driver.cuLinkCreate_v2(0, NULL, NULL, &state);
    if (status) return (cudaError_t)status;
    status = add_parts(state, parts);
    if (!status) status = rt_driver.cuLinkComplete(state, &image, &bytes);
    if (!status)
        status = rt_driver.cuLibraryLoadData(library, image, NULL, NULL, 0, NULL, NULL, 0);
    rt_driver.cuLinkDestroy(state);
    return (cudaError_t)status;
}
