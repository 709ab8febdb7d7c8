/* SPDX-License-Identifier: Apache-2.0
 *
 * Managed memory: one address for the host and all devices.  It never moves, so prefetches and
 * advice are checked and noted.
 */
#include <rill/sim.h>

#include "standin/context/current.h"
#include "standin/memory/advice.h"

/* ---- Allocating ------------------------------------------------------------------------- */

/* Answers the address 0 when it fails. */
ENTRY(cuMemAllocManaged, (CUdeviceptr *address, size_t bytes, unsigned flags),
      (address, bytes, flags))
{
    rill_context *context;
    CUresult status = si_here(&context);
    if (!status) status = rill_mem_alloc_managed(context, bytes, flags, address);
    if (status && address) *address = 0;
    return status;
}

/* ---- What the calls below have in common ------------------------------------------------ */

/* Finds the managed memory around a range. */
static CUresult find_managed(CUdeviceptr address, size_t bytes, rill_pointer_info *info)
{
    rill_context *context;
    *info = (rill_pointer_info){ .size = sizeof *info };
    CUresult status = si_here(&context);
    if (!status) status = rill_pointer_get_info(context, address, info);
    if (status) return status;
    const int inside = info->known && info->managed && bytes &&
                       bytes <= info->bytes - (address - info->base);
    return inside ? RILL_SUCCESS : RILL_ERROR_INVALID_VALUE;
}

/* Memory does not go to a device that takes turns with the host at it. */
static CUresult check_device(int id)
{
    const struct si_device *device = si_device(id);
    return device && device->info.concurrent_managed_access ? RILL_SUCCESS
                                                            : RILL_ERROR_INVALID_DEVICE;
}

/* Checks where memory is wanted: a device, or the host, or a part of it. */
static CUresult check_location(CUmemLocation location)
{
    switch (location.type) {
    case CU_MEM_LOCATION_TYPE_DEVICE: return check_device(location.id);
    case CU_MEM_LOCATION_TYPE_HOST:
    case CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT: return RILL_SUCCESS;
    case CU_MEM_LOCATION_TYPE_HOST_NUMA:
        return location.id >= 0 ? RILL_SUCCESS : RILL_ERROR_INVALID_VALUE;
    default: return RILL_ERROR_INVALID_VALUE;
    }
}

/* Returns the place that the first forms of the calls name by a device's number. */
static CUmemLocation location_of(CUdevice device)
{
    if (device == CU_DEVICE_CPU) return (CUmemLocation){ CU_MEM_LOCATION_TYPE_HOST, 0 };
    return (CUmemLocation){ CU_MEM_LOCATION_TYPE_DEVICE, device };
}

/* ---- Prefetching ------------------------------------------------------------------------ */

static void note_prefetch(struct si_advice *advice, const void *location)
{
    advice->prefetched = *(const CUmemLocation *)location;
}

/* Finds a stream that takes prefetches: none that captures, whose capture is broken. */
static CUresult find_stream(CUstream handle, rill_stream **stream)
{
    struct si_context *context = NULL;
    rill_capture_info capture = { .size = sizeof capture };
    CUresult status = si_stream(handle, stream);
    if (!status) status = rill_stream_capture_info(*stream, &capture);
    if (status || capture.state == RILL_CAPTURE_NONE) return status;
    status = si_stream_context(handle, &context);
    rill_context *raw = status ? NULL : atomic_load(&context->slot.object);
    if (!status) status = rill_sim_permits(si_platform, raw, RILL_SIM_CALL_ORDERS);
    return status ? status : RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

ENTRY(cuMemPrefetchAsync_v2,
      (CUdeviceptr address, size_t bytes, CUmemLocation location, unsigned flags,
       CUstream handle),
      (address, bytes, location, flags, handle))
{
    rill_stream *stream;
    rill_pointer_info info;
    CUresult status = find_stream(handle, &stream);
    if (!status) status = find_managed(address, bytes, &info);
    if (!status) status = check_location(location);
    if (status) return status;
    if (flags) return RILL_ERROR_INVALID_VALUE;
    return si_advise(&info, address, bytes, note_prefetch, &location);
}

PER_THREAD_FORM(cuMemPrefetchAsync_v2, _ptsz,
                (CUdeviceptr address, size_t bytes, CUmemLocation location, unsigned flags,
                 CUstream stream),
                (address, bytes, location, flags, stream))

ENTRY(cuMemPrefetchAsync,
      (CUdeviceptr address, size_t bytes, CUdevice device, CUstream handle),
      (address, bytes, device, handle))
{
    return cuMemPrefetchAsync_v2(address, bytes, location_of(device), 0, handle);
}

PER_THREAD_FORM(cuMemPrefetchAsync, _ptsz,
                (CUdeviceptr address, size_t bytes, CUdevice device, CUstream stream),
                (address, bytes, device, stream))

/* ---- Batches of prefetches and discards --------------------------------------------------
 *
 * All of a batch is checked before anything of it is noted.  A discard says that nobody needs the
 * contents, which may stay as well as go: here they stay.
 */

struct batch {
    const CUdeviceptr *addresses;
    const size_t *sizes;
    size_t count;
    const CUmemLocation *locations; /* locations[i] holds from range first[i] on */
    const size_t *first;
    size_t location_count;
};

/* Checks which ranges go where. */
static CUresult check_batch_locations(const struct batch *batch)
{
    if (!batch->locations || !batch->first || !batch->location_count ||
        batch->location_count > batch->count || batch->first[0])
        return RILL_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < batch->location_count; i++) {
        if ((i && batch->first[i] <= batch->first[i - 1]) || batch->first[i] >= batch->count)
            return RILL_ERROR_INVALID_VALUE;
        CUresult status = check_location(batch->locations[i]);
        if (status) return status;
    }
    return RILL_SUCCESS;
}

/* Batches need a stream other than the legacy one. */
static CUresult check_batch(const struct batch *batch, bool prefetches, unsigned long long flags,
                            CUstream handle)
{
    rill_stream *stream;
    rill_pointer_info info;
    CUresult status = si_check_ready();
    if (status) return status;
    if (!handle || handle == CU_STREAM_LEGACY || flags || !batch->addresses || !batch->sizes ||
        !batch->count)
        return RILL_ERROR_INVALID_VALUE;
    status = find_stream(handle, &stream);
    if (!status && prefetches) status = check_batch_locations(batch);
    for (size_t i = 0; i < batch->count && !status; i++)
        status = find_managed(batch->addresses[i], batch->sizes[i], &info);
    return status;
}

static CUresult prefetch_batch(const struct batch *batch, unsigned long long flags,
                               CUstream handle)
{
    size_t at = 0;
    CUresult status = check_batch(batch, true, flags, handle);
    for (size_t i = 0; i < batch->count && !status; i++) {
        rill_pointer_info info;
        if (at + 1 < batch->location_count && batch->first[at + 1] == i) at++;
        status = find_managed(batch->addresses[i], batch->sizes[i], &info);
        if (!status)
            status = si_advise(&info, batch->addresses[i], batch->sizes[i], note_prefetch,
                               &batch->locations[at]);
    }
    return status;
}

ENTRY(cuMemPrefetchBatchAsync,
      (CUdeviceptr *addresses, size_t *sizes, size_t count, CUmemLocation *locations,
       size_t *first, size_t location_count, unsigned long long flags, CUstream stream),
      (addresses, sizes, count, locations, first, location_count, flags, stream))
{
    const struct batch batch = { addresses, sizes, count, locations, first, location_count };
    return prefetch_batch(&batch, flags, stream);
}

ENTRY(cuMemDiscardBatchAsync,
      (CUdeviceptr *addresses, size_t *sizes, size_t count, unsigned long long flags,
       CUstream stream),
      (addresses, sizes, count, flags, stream))
{
    const struct batch batch = { .addresses = addresses, .sizes = sizes, .count = count };
    return check_batch(&batch, false, flags, stream);
}

ENTRY(cuMemDiscardAndPrefetchBatchAsync,
      (CUdeviceptr *addresses, size_t *sizes, size_t count, CUmemLocation *locations,
       size_t *first, size_t location_count, unsigned long long flags, CUstream stream),
      (addresses, sizes, count, locations, first, location_count, flags, stream))
{
    const struct batch batch = { addresses, sizes, count, locations, first, location_count };
    return prefetch_batch(&batch, flags, stream);
}

PER_THREAD_FORM(cuMemPrefetchBatchAsync, _ptsz,
                (CUdeviceptr *addresses, size_t *sizes, size_t count, CUmemLocation *locations,
                 size_t *first, size_t location_count, unsigned long long flags,
                 CUstream stream),
                (addresses, sizes, count, locations, first, location_count, flags, stream))
PER_THREAD_FORM(cuMemDiscardBatchAsync, _ptsz,
                (CUdeviceptr *addresses, size_t *sizes, size_t count, unsigned long long flags,
                 CUstream stream),
                (addresses, sizes, count, flags, stream))
PER_THREAD_FORM(cuMemDiscardAndPrefetchBatchAsync, _ptsz,
                (CUdeviceptr *addresses, size_t *sizes, size_t count, CUmemLocation *locations,
                 size_t *first, size_t location_count, unsigned long long flags,
                 CUstream stream),
                (addresses, sizes, count, locations, first, location_count, flags, stream))

/* ---- Advice ----------------------------------------------------------------------------- */

struct advising {
    int advice;
    CUmemLocation location;
};

static void set_access(struct si_advice *advice, CUmemLocation location, bool on)
{
    const uint64_t bit = (uint64_t)1 << (location.id & 63);
    if (location.type != CU_MEM_LOCATION_TYPE_DEVICE) advice->host = on;
    else if (on) advice->devices |= bit;
    else advice->devices &= ~bit;
}

static void note_advice(struct si_advice *advice, const void *what)
{
    const struct advising *said = what;
    const CUmemLocation none = { CU_MEM_LOCATION_TYPE_NONE, 0 };
    switch (said->advice) {
    case CU_MEM_ADVISE_SET_READ_MOSTLY: advice->read_mostly = true; break;
    case CU_MEM_ADVISE_UNSET_READ_MOSTLY: advice->read_mostly = false; break;
    case CU_MEM_ADVISE_SET_PREFERRED_LOCATION: advice->preferred = said->location; break;
    case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION: advice->preferred = none; break;
    case CU_MEM_ADVISE_SET_ACCESSED_BY: set_access(advice, said->location, true); break;
    case CU_MEM_ADVISE_UNSET_ACCESSED_BY: set_access(advice, said->location, false); break;
    }
}

/* Where a driver is to have memory on a node of the host, it looks neither at the address nor at
 * how much there is, and does nothing. */
static bool is_idle_advice(int advice, CUmemLocation location)
{
    bool of_node = location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA ||
                   location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;
    return of_node && advice >= CU_MEM_ADVISE_SET_READ_MOSTLY &&
           advice <= CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION;
}

/* Checks the place that an advice names; some name none. */
static CUresult check_advice(int advice, CUmemLocation location)
{
    switch (advice) {
    case CU_MEM_ADVISE_SET_READ_MOSTLY:
    case CU_MEM_ADVISE_UNSET_READ_MOSTLY:
    case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION: return RILL_SUCCESS;
    case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
        if (location.type == CU_MEM_LOCATION_TYPE_DEVICE && !si_device(location.id))
            return RILL_ERROR_INVALID_VALUE; /* as of a place that is none */
        return check_location(location);
    case CU_MEM_ADVISE_SET_ACCESSED_BY:
    case CU_MEM_ADVISE_UNSET_ACCESSED_BY:
        if (location.type > CU_MEM_LOCATION_TYPE_HOST) return RILL_ERROR_INVALID_VALUE;
        return check_location(location);
    default: return RILL_ERROR_INVALID_VALUE;
    }
}

ENTRY(cuMemAdvise_v2,
      (CUdeviceptr address, size_t bytes, int advice, CUmemLocation location),
      (address, bytes, advice, location))
{
    rill_pointer_info info;
    const struct advising said = { advice, location };
    CUresult status = find_managed(address, bytes, &info);
    if (status == RILL_ERROR_INVALID_VALUE && is_idle_advice(advice, location))
        return RILL_SUCCESS;
    if (!status && location.type == CU_MEM_LOCATION_TYPE_NONE) status = RILL_ERROR_INVALID_VALUE;
    if (!status) status = check_advice(advice, location);
    return status ? status : si_advise(&info, address, bytes, note_advice, &said);
}

ENTRY(cuMemAdvise, (CUdeviceptr address, size_t bytes, int advice, CUdevice device),
      (address, bytes, advice, device))
{
    return cuMemAdvise_v2(address, bytes, advice, location_of(device));
}

/* ---- Questions -------------------------------------------------------------------------- */

/* Returns the number that stands for a place in answers. */
static int number_of(CUmemLocation location)
{
    if (location.type == CU_MEM_LOCATION_TYPE_NONE) return CU_DEVICE_INVALID;
    return location.type == CU_MEM_LOCATION_TYPE_DEVICE ? location.id : CU_DEVICE_CPU;
}

/* Writes which devices access the memory, as many as there is room for, and fills what is left with
 * a number that is none. */
static void write_accessors(const struct si_advice *advice, int *out, size_t room)
{
    size_t count = 0;
    if (advice->host && count < room) out[count++] = CU_DEVICE_CPU;
    for (int i = 0; i < SI_DEVICES && count < room; i++)
        if (advice->devices >> i & 1) out[count++] = i;
    while (count < room) out[count++] = CU_DEVICE_INVALID;
}

static CUresult answer_range(const struct si_advice *advice, int question, int *out, size_t bytes)
{
    if (question == CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY) {
        if (!bytes || bytes % sizeof *out) return RILL_ERROR_INVALID_VALUE;
        write_accessors(advice, out, bytes / sizeof *out);
        return RILL_SUCCESS;
    }
    if (bytes != sizeof *out) return RILL_ERROR_INVALID_VALUE;
    switch (question) {
    case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY: *out = advice->read_mostly; break;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION: *out = number_of(advice->preferred); break;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
        *out = number_of(advice->prefetched);
        break;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE: *out = advice->preferred.type; break;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID:
        *out = number_of(advice->preferred);
        break;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE: *out = advice->prefetched.type; break;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID:
        *out = number_of(advice->prefetched);
        break;
    default: return RILL_ERROR_INVALID_VALUE;
    }
    return RILL_SUCCESS;
}

ENTRY(cuMemRangeGetAttributes,
      (void **out, size_t *sizes, int *questions, size_t count, CUdeviceptr address,
       size_t bytes),
      (out, sizes, questions, count, address, bytes))
{
    rill_pointer_info info;
    CUresult status = find_managed(address, bytes, &info);
    if (status) return status;
    if (!out || !sizes || !questions || !count) return RILL_ERROR_INVALID_VALUE;
    const struct si_advice advice = si_advice_of(&info, address, bytes);
    for (size_t i = 0; i < count && !status; i++)
        status = out[i] ? answer_range(&advice, questions[i], out[i], sizes[i])
                        : RILL_ERROR_INVALID_VALUE;
    return status;
}

ENTRY(cuMemRangeGetAttribute,
      (void *out, size_t size, int question, CUdeviceptr address, size_t bytes),
      (out, size, question, address, bytes))
{
    return cuMemRangeGetAttributes(&out, &size, &question, 1, address, bytes);
}
