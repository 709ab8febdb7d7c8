/* SPDX-License-Identifier: Apache-2.0
 *
 * Addresses and memory, each by itself.
 */
#include "core/object/check.h"
#include "core/object/error.h"
#include "core/object/options.h"

/* Returns NULL for a backend that has addresses only with their memory. */
static const struct rill_vmem_ops *vmem_ops(const rill_platform *platform)
{
    return rl_backend(platform)->vmem;
}

/* Checks that the platform is live and its backend has the table. */
static rill_status check_platform(const rill_platform *platform, const char *operation)
{
    rill_status status = rl_check(platform, RILL_OBJECT_PLATFORM, "platform");
    if (!status) status = rl_need(platform, vmem_ops(platform) != NULL, operation);
    return status;
}

rill_status rill_vmem_granularity(rill_platform *platform, int device, size_t *bytes)
{
    rill_status status = check_platform(platform, __func__);
    if (!status) status = rl_required(bytes, "bytes");
    if (!status) status = vmem_ops(platform)->granularity(platform, device, bytes);
    return rl_finish(__func__, platform, status);
}

/* ---- Memory ------------------------------------------------------------- */

rill_status rill_vmem_create(rill_platform *platform, size_t bytes,
                             const rill_vmem_options *options, rill_vmem_handle *handle)
{
    rill_vmem_options known;
    rill_status status = check_platform(platform, __func__);
    if (!status) status = rl_required(handle, "handle");
    if (!status) status = rl_read_options(options, &known, sizeof known, "options->size");
    if (!status) status = vmem_ops(platform)->create(platform, bytes, &known, handle);
    return rl_finish(__func__, platform, status);
}

rill_status rill_vmem_release(rill_platform *platform, rill_vmem_handle handle)
{
    rill_status status = check_platform(platform, __func__);
    if (!status) status = vmem_ops(platform)->release(platform, handle);
    return rl_finish(__func__, platform, status);
}

rill_status rill_vmem_retain(rill_platform *platform, rill_devptr address,
                             rill_vmem_handle *handle)
{
    rill_status status = check_platform(platform, __func__);
    if (!status) status = rl_required(handle, "handle");
    if (!status) status = vmem_ops(platform)->retain(platform, address, handle);
    return rl_finish(__func__, platform, status);
}

rill_status rill_vmem_get_options(rill_platform *platform, rill_vmem_handle handle,
                                  rill_vmem_options *options)
{
    rill_vmem_options full = { .size = sizeof full };
    rill_status status = check_platform(platform, __func__);
    if (!status) status = rl_required(options, "options");
    if (!status) status = rl_check_output(options, sizeof full, "options->size");
    if (!status) status = vmem_ops(platform)->get_options(platform, handle, &full);
    if (!status) rl_write_output(options, &full, sizeof full);
    return rl_finish(__func__, platform, status);
}

rill_status rill_vmem_export(rill_platform *platform, rill_vmem_handle handle, int *file)
{
    rill_status status = check_platform(platform, __func__);
    if (!status) status = rl_required(file, "file");
    if (!status) status = vmem_ops(platform)->export_file(platform, handle, file);
    return rl_finish(__func__, platform, status);
}

rill_status rill_vmem_import(rill_platform *platform, int file, rill_vmem_handle *handle)
{
    rill_status status = check_platform(platform, __func__);
    if (!status) status = rl_required(handle, "handle");
    if (!status) status = vmem_ops(platform)->import_file(platform, file, handle);
    return rl_finish(__func__, platform, status);
}

/* ---- Addresses ---------------------------------------------------------- */

rill_status rill_vmem_reserve(rill_platform *platform, size_t bytes, size_t alignment,
                              rill_devptr wish, rill_devptr *address)
{
    rill_status status = check_platform(platform, __func__);
    if (!status) status = rl_required(address, "address");
    if (!status) status = vmem_ops(platform)->reserve(platform, bytes, alignment, wish, address);
    return rl_finish(__func__, platform, status);
}

rill_status rill_vmem_unreserve(rill_platform *platform, rill_devptr address, size_t bytes)
{
    rill_status status = check_platform(platform, __func__);
    if (!status) status = vmem_ops(platform)->unreserve(platform, address, bytes);
    return rl_finish(__func__, platform, status);
}

/* ---- Mapping ------------------------------------------------------------ */

rill_status rill_vmem_map(rill_platform *platform, rill_devptr address, size_t bytes,
                          rill_vmem_handle handle)
{
    rill_status status = check_platform(platform, __func__);
    if (!status) status = vmem_ops(platform)->map(platform, address, bytes, handle);
    return rl_finish(__func__, platform, status);
}

rill_status rill_vmem_unmap(rill_platform *platform, rill_devptr address, size_t bytes)
{
    rill_status status = check_platform(platform, __func__);
    if (!status) status = vmem_ops(platform)->unmap(platform, address, bytes);
    return rl_finish(__func__, platform, status);
}

rill_status rill_vmem_set_access(rill_platform *platform, rill_devptr address, size_t bytes,
                                 int device, rill_access access)
{
    rill_status status = check_platform(platform, __func__);
    if (!status) status = vmem_ops(platform)->set_access(platform, address, bytes, device, access);
    return rl_finish(__func__, platform, status);
}

rill_status rill_vmem_get_access(rill_platform *platform, rill_devptr address, int device,
                                 rill_access *access)
{
    rill_status status = check_platform(platform, __func__);
    if (!status) status = rl_required(access, "access");
    if (!status) status = vmem_ops(platform)->get_access(platform, address, device, access);
    return rl_finish(__func__, platform, status);
}
