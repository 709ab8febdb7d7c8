/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda/telling.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/cmocka_all.h"

char telling_said[256];
CUresult telling_answer;

#define SAY(...) \
    do { \
        snprintf(telling_said, sizeof telling_said, __VA_ARGS__); \
        return telling_answer; \
    } while (0)

/* ---- A driver that tells ------------------------------------------------------------- */

static CUresult CUDAAPI copy_any(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
    (void)stream;
    SAY("any %llx %llx %zu", dst, src, bytes);
}

static CUresult CUDAAPI copy_htod(CUdeviceptr dst, const void *src, size_t bytes, CUstream stream)
{
    (void)stream;
    SAY("htod %llx %p %zu", dst, src, bytes);
}

static CUresult CUDAAPI copy_dtoh(void *dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
    (void)stream;
    SAY("dtoh %p %llx %zu", dst, src, bytes);
}

static CUresult CUDAAPI copy_dtod(CUdeviceptr dst, CUdeviceptr src, size_t bytes, CUstream stream)
{
    (void)stream;
    SAY("dtod %llx %llx %zu", dst, src, bytes);
}

static CUresult CUDAAPI copy_box(const CUDA_MEMCPY3D *c, CUstream stream)
{
    (void)stream;
    SAY("box %d:%llx+%zu,%zu,%zu/%zu,%zu %d:%llx+%zu,%zu,%zu/%zu,%zu %zux%zux%zu",
        (int)c->dstMemoryType,
        c->dstMemoryType == CU_MEMORYTYPE_HOST ? (CUdeviceptr)(uintptr_t)c->dstHost : c->dstDevice,
        c->dstXInBytes, c->dstY, c->dstZ, c->dstPitch, c->dstHeight, (int)c->srcMemoryType,
        c->srcMemoryType == CU_MEMORYTYPE_HOST ? (CUdeviceptr)(uintptr_t)c->srcHost : c->srcDevice,
        c->srcXInBytes, c->srcY, c->srcZ, c->srcPitch, c->srcHeight, c->WidthInBytes, c->Height,
        c->Depth);
}

static CUresult CUDAAPI copy_peer(CUdeviceptr dst, CUcontext to, CUdeviceptr src, CUcontext from,
                                  size_t bytes, CUstream stream)
{
    (void)stream;
    SAY("peer %llx in %p %llx in %p %zu", dst, (void *)to, src, (void *)from, bytes);
}

static CUresult CUDAAPI copy_peer_box(const CUDA_MEMCPY3D_PEER *c, CUstream stream)
{
    (void)stream;
    SAY("peer box in %p in %p %zux%zux%zu", (void *)c->dstContext, (void *)c->srcContext,
        c->WidthInBytes, c->Height, c->Depth);
}

static CUresult CUDAAPI fill_16(CUdeviceptr dst, unsigned short value, size_t count,
                                CUstream stream)
{
    (void)stream;
    SAY("d16 %llx %x %zu", dst, value, count);
}

static CUresult CUDAAPI fill_rows_8(CUdeviceptr dst, size_t pitch, unsigned char value,
                                    size_t width, size_t height, CUstream stream)
{
    (void)stream;
    SAY("d2d8 %llx %zu %x %zu %zu", dst, pitch, value, width, height);
}

static CUresult CUDAAPI write_32(CUstream stream, CUdeviceptr address, uint32_t value,
                                 unsigned flags)
{
    (void)stream;
    SAY("write %llx %x %x", address, value, flags);
}

static CUresult CUDAAPI batch(CUstream stream, unsigned count, CUstreamBatchMemOpParams *items,
                              unsigned flags)
{
    (void)stream;
    const CUstreamBatchMemOpParams *last = count ? &items[count - 1] : NULL;
    SAY("batch of %u, %x; last %d %llx %llx %x", count, flags, last ? (int)last->operation : -1,
        last ? last->writeValue.address : 0, last ? (long long)last->writeValue.value64 : 0,
        last ? last->writeValue.flags : 0);
}

static void *const far_pool = (void *)(uintptr_t)0x7700;

static void tell(CUpointer_attribute attribute, void *place, CUdeviceptr base)
{
    bool there = base == DEVICE || base == PINNED || base == FAR;
    switch ((int)attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
        *(unsigned *)place = !there           ? 0
                             : base == PINNED ? CU_MEMORYTYPE_HOST
                                              : CU_MEMORYTYPE_DEVICE;
        break;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: *(int *)place = there ? base == FAR : -2; break;
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
        *(CUmemoryPool *)place = base == FAR ? far_pool : NULL;
        break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: *(CUdeviceptr *)place = there ? base : 0; break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: *(size_t *)place = there ? ROOM : 0; break;
    }
}

static CUresult CUDAAPI attributes(unsigned count, CUpointer_attribute *questions, void **places,
                                   CUdeviceptr address)
{
    for (unsigned i = 0; i < count; i++)
        tell(questions[i], places[i], address / ROOM * ROOM);
    return CUDA_SUCCESS;
}

static void install(void)
{
    cuda_api.MemcpyAsync = copy_any;
    cuda_api.MemcpyHtoDAsync = copy_htod;
    cuda_api.MemcpyDtoHAsync = copy_dtoh;
    cuda_api.MemcpyDtoDAsync = copy_dtod;
    cuda_api.Memcpy3DAsync = copy_box;
    cuda_api.MemcpyPeerAsync = copy_peer;
    cuda_api.Memcpy3DPeerAsync = copy_peer_box;
    cuda_api.MemsetD16Async = fill_16;
    cuda_api.MemsetD2D8Async = fill_rows_8;
    cuda_api.StreamWriteValue32 = write_32;
    cuda_api.StreamBatchMemOp = batch;
    cuda_api.PointerGetAttributes = attributes;
}

/* ---- The scene ----------------------------------------------------------------------- */

int telling_set_up(void **state)
{
    static struct scene scene;
    const rill_context_options other = { .size = sizeof other, .device = 1 };
    scene = (struct scene){ .fake = fake_load() };
    assert_int_equal(fake_open(&scene.platform), RILL_SUCCESS);
    assert_int_equal(rill_context_create(scene.platform, NULL, &scene.context), RILL_SUCCESS);
    assert_int_equal(rill_context_create(scene.platform, &other, &scene.peer), RILL_SUCCESS);
    assert_int_equal(rill_stream_create(scene.context, NULL, &scene.stream), RILL_SUCCESS);
    install();
    telling_answer = CUDA_SUCCESS;
    *state = &scene;
    return 0;
}

int telling_tear_down(void **state)
{
    struct scene *scene = *state;
    rill_stream_destroy(&scene->stream);
    rill_context_destroy(&scene->peer);
    rill_context_destroy(&scene->context);
    rill_close(&scene->platform);
    return 0;
}

void telling_submits(struct scene *scene, rill_op op, const char *expected)
{
    *telling_said = '\0';
    assert_int_equal(rill_stream_submit(scene->stream, &op), RILL_SUCCESS);
    assert_string_equal(telling_said, expected);
}

void telling_blames(struct scene *scene, rill_op op, const char *argument)
{
    *telling_said = '\0';
    assert_int_equal(rill_stream_submit(scene->stream, &op), RILL_ERROR_INVALID_VALUE);
    if (argument) assert_string_equal(rill_last_error()->argument, argument);
    else assert_null(rill_last_error()->argument);
    /* The driver's words are there when it was asked. */
    bool quoted = strstr(rill_last_error()->message, "as the fake says");
    assert_int_equal(*telling_said != 0, quoted);
}
