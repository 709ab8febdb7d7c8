/* SPDX-License-Identifier: Apache-2.0 */
#include <rill/rill.h>

/* Memory of a pool of at most 1 MiB, allocated and freed in the order of a stream. */
rill_status example(rill_context *context)
{
    const rill_pool_options options = { .size = sizeof options, .maximum = 1 << 20 };
    rill_stream *stream = rill_stream_legacy(context);
    rill_platform *platform;
    rill_pool *pool = NULL;
    rill_devptr memory;

    rill_status status = rill_context_platform(context, &platform);
    if (!status) status = rill_pool_create(platform, &options, &pool);
    if (!status)
        status = rill_mem_alloc_from_pool_async(stream, pool, 4096, &memory);
    if (!status) status = rill_memset_d8_async(stream, memory, 0, 4096);
    if (!status) status = rill_mem_free_async(stream, memory);
    if (!status) status = rill_stream_synchronize(stream);

    rill_pool_destroy(&pool);
    return status;
}
