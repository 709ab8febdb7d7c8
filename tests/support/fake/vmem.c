/* SPDX-License-Identifier: Apache-2.0
 *
 * The fake backend's virtual memory, where nothing is mapped.
 */
#include "support/fake/parts.h"

GIVES(fake_granularity, *bytes = 1, rill_platform *platform, int device, size_t *bytes)
GIVES(fake_vmem_create, *handle = 1, rill_platform *platform, size_t bytes,
      const rill_vmem_options *options, rill_vmem_handle *handle)
YES(fake_vmem_release, rill_platform *platform, rill_vmem_handle handle)
GIVES(fake_vmem_retain, *handle = 1, rill_platform *platform, rill_devptr address,
      rill_vmem_handle *handle)
GIVES(fake_vmem_options, options->device = 0, rill_platform *platform, rill_vmem_handle handle,
      rill_vmem_options *options)
GIVES(fake_vmem_export, *file = -1, rill_platform *platform, rill_vmem_handle handle, int *file)
GIVES(fake_vmem_import, *handle = 1, rill_platform *platform, int file, rill_vmem_handle *handle)
GIVES(fake_reserve, *address = 1, rill_platform *platform, size_t bytes, size_t alignment,
      rill_devptr wish, rill_devptr *address)
YES(fake_unreserve, rill_platform *platform, rill_devptr address, size_t bytes)
YES(fake_map, rill_platform *platform, rill_devptr address, size_t bytes, rill_vmem_handle handle)
YES(fake_unmap, rill_platform *platform, rill_devptr address, size_t bytes)
YES(fake_vmem_set_access, rill_platform *platform, rill_devptr address, size_t bytes, int device,
    rill_access access)
GIVES(fake_vmem_get_access, *access = RILL_ACCESS_NONE, rill_platform *platform,
      rill_devptr address, int device, rill_access *access)

const struct rill_vmem_ops fake_vmem_ops = {
    .granularity = fake_granularity,
    .create = fake_vmem_create,
    .release = fake_vmem_release,
    .retain = fake_vmem_retain,
    .get_options = fake_vmem_options,
    .export_file = fake_vmem_export,
    .import_file = fake_vmem_import,
    .reserve = fake_reserve,
    .unreserve = fake_unreserve,
    .map = fake_map,
    .unmap = fake_unmap,
    .set_access = fake_vmem_set_access,
    .get_access = fake_vmem_get_access,
};
