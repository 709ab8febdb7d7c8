/* SPDX-License-Identifier: Apache-2.0
 *
 * What copies, fills and value operations are to the driver: which call they take,
 * with what, and what is said when it refuses.
 */
#include <stdio.h>
#include <string.h>

#include "backend-cuda/context/context.h"
#include "cuda/fake.h"
#include "support/cmocka_all.h"

/* The last call and what it was given; what it is to answer. */
static char said[256];
static CUresult answer;

#define SAY(...) \
    do { \
        snprintf(said, sizeof said, __VA_ARGS__); \
        return answer; \
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

/* Memory of 4096 bytes: of device 0, host memory, and a pool's of device 1. */
#define DEVICE UINT64_C(0x1000000)
#define PINNED UINT64_C(0x2000000)
#define FAR UINT64_C(0x3000000)
#define NOWHERE UINT64_C(0x9000000)
#define ROOM 4096

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

struct scene {
    const struct fake *fake;
    rill_platform *platform;
    rill_context *context, *peer;
    rill_stream *stream;
};

static int set_up(void **state)
{
    static struct scene scene;
    const rill_context_options other = { .size = sizeof other, .device = 1 };
    scene = (struct scene){ .fake = fake_load() };
    assert_int_equal(fake_open(&scene.platform), RILL_SUCCESS);
    assert_int_equal(rill_context_create(scene.platform, NULL, &scene.context), RILL_SUCCESS);
    assert_int_equal(rill_context_create(scene.platform, &other, &scene.peer), RILL_SUCCESS);
    assert_int_equal(rill_stream_create(scene.context, NULL, &scene.stream), RILL_SUCCESS);
    install();
    answer = CUDA_SUCCESS;
    *state = &scene;
    return 0;
}

static int tear_down(void **state)
{
    struct scene *scene = *state;
    rill_stream_destroy(&scene->stream);
    rill_context_destroy(&scene->peer);
    rill_context_destroy(&scene->context);
    rill_close(&scene->platform);
    return 0;
}

static void submits(struct scene *scene, rill_op op, const char *expected)
{
    *said = '\0';
    assert_int_equal(rill_stream_submit(scene->stream, &op), RILL_SUCCESS);
    assert_string_equal(said, expected);
}

static void blames(struct scene *scene, rill_op op, const char *argument)
{
    *said = '\0';
    assert_int_equal(rill_stream_submit(scene->stream, &op), RILL_ERROR_INVALID_VALUE);
    if (argument) assert_string_equal(rill_last_error()->argument, argument);
    else assert_null(rill_last_error()->argument);
    /* The driver's words are there when it was asked. */
    assert_int_equal(*said != 0, strstr(rill_last_error()->message, "as the fake says") != NULL);
}

static rill_place place(rill_memory_kind kind, rill_devptr address)
{
    return (rill_place){ .kind = kind, .address = address };
}

static rill_op copy(rill_place dst, rill_place src, size_t width)
{
    return (rill_op){ .kind = RILL_OP_MEMCPY,
                      .memcpy = { .dst = dst, .src = src, .width = width, .height = 1,
                                  .depth = 1 } };
}

static rill_op fill(rill_devptr dst, uint32_t element, size_t width, size_t height, size_t pitch)
{
    return (rill_op){ .kind = RILL_OP_MEMSET,
                      .memset = { dst, pitch, 0x12345678, element, width, height } };
}

/* ---- Copies -------------------------------------------------------------------------- */

static void one_row_takes_the_flat_call_of_its_kinds(void **state)
{
    const rill_place device = place(RILL_MEMORY_DEVICE, 0x10), host = place(RILL_MEMORY_HOST, 0x20);
    const rill_place any = place(RILL_MEMORY_UNIFIED, 0x30);
    submits(*state, copy(any, any, 7), "any 30 30 7");
    submits(*state, copy(device, host, 7), "htod 10 0x20 7");
    submits(*state, copy(host, device, 7), "dtoh 0x20 10 7");
    submits(*state, copy(device, device, 0), "dtod 10 10 0");
}

static void everything_else_is_a_box_as_it_was_described(void **state)
{
    const rill_place device = place(RILL_MEMORY_DEVICE, 0x10), host = place(RILL_MEMORY_HOST, 0x20);
    rill_op op = copy(host, host, 7);
    submits(*state, op, "box 1:20+0,0,0/0,0 1:20+0,0,0/0,0 7x1x1");
    op = copy(device, place((rill_memory_kind)9, 0x20), 7);
    submits(*state, op, "box 2:10+0,0,0/0,0 9:20+0,0,0/0,0 7x1x1");
    op = copy(place((rill_memory_kind)0, 0x10), place((rill_memory_kind)0x21, 0x20), 7);
    submits(*state, op, "box 0:10+0,0,0/0,0 33:20+0,0,0/0,0 7x1x1");
    op = copy(place((rill_memory_kind)-1, 0x10), host, 7);
    submits(*state, op, "box -1:10+0,0,0/0,0 1:20+0,0,0/0,0 7x1x1");
    op = copy(device, host, 7);
    op.memcpy.height = 0;
    submits(*state, op, "box 2:10+0,0,0/0,0 1:20+0,0,0/0,0 7x0x1");
    op.memcpy.height = op.memcpy.depth = 2;
    op.memcpy.dst = (rill_place){ RILL_MEMORY_DEVICE, 0x10, 11, 12, 13, 14, 15, NULL };
    op.memcpy.src = (rill_place){ RILL_MEMORY_HOST, 0x20, 21, 22, 23, 24, 25, NULL };
    submits(*state, op, "box 2:10+13,14,15/11,12 1:20+23,24,25/21,22 7x2x2");
}

static void places_with_contexts_take_a_peer_call(void **state)
{
    struct scene *scene = *state;
    const rill_place device = place(RILL_MEMORY_DEVICE, 0x10);
    rill_op op = copy(device, device, 7);
    op.memcpy.src.context = scene->peer;
    submits(scene, op, "peer 10 in 0x100 10 in 0x110 7");
    op.memcpy.dst.context = scene->peer;
    op.memcpy.src.context = NULL;
    op.memcpy.height = 2;
    submits(scene, op, "peer box in 0x110 in 0x100 7x2x1");
}

static void a_refused_copy_is_blamed_on_the_side_at_fault(void **state)
{
    const rill_place device = place(RILL_MEMORY_DEVICE, DEVICE);
    const rill_place pinned = place(RILL_MEMORY_DEVICE, PINNED);
    const rill_place pageable = place(RILL_MEMORY_HOST, NOWHERE);
    answer = CUDA_ERROR_INVALID_VALUE;
    blames(*state, copy(place(RILL_MEMORY_DEVICE, 0), device, 8), "dst");
    blames(*state, copy(device, place(RILL_MEMORY_DEVICE, NOWHERE), 8), "src");
    blames(*state, copy(place(RILL_MEMORY_DEVICE, DEVICE + 1), device, ROOM), "dst");
    blames(*state, copy(device, place(RILL_MEMORY_DEVICE, PINNED + 1), ROOM), "src");
    blames(*state, copy(pageable, place(RILL_MEMORY_DEVICE, FAR), 8), "src");
    blames(*state, copy(device, place((rill_memory_kind)3, DEVICE), 8), "src");
    blames(*state, copy(device, pinned, SIZE_MAX), "dst");
    blames(*state, copy(device, pinned, 0), "width");
    blames(*state, copy(device, pinned, ROOM), NULL);
    blames(*state, copy(device, pageable, ROOM), NULL);
    rill_op op = copy(device, pinned, 8);
    op.memcpy.src.pitch = 7;
    blames(*state, op, "src");
    op.memcpy.src.pitch = 0;
    op.memcpy.dst.rows = op.memcpy.dst.y = 1;
    blames(*state, op, "dst");
}

/* ---- Fills --------------------------------------------------------------------------- */

static void of_one_row_the_pitch_goes_unasked(void **state)
{
    submits(*state, fill(0x10, 2, 3, 1, 1), "d16 10 5678 3");
    submits(*state, fill(0x10, 1, 3, 2, 9), "d2d8 10 9 78 3 2");
    submits(*state, fill(0x10, 1, 3, 0, 9), "d2d8 10 9 78 3 0");
}

static void fills_that_wrap_around_do_not_reach_the_driver(void **state)
{
    const rill_op all[] = {
        fill(DEVICE, 2, SIZE_MAX / 2 + 2, 1, 0), fill(DEVICE, 1, 2, SIZE_MAX, 2),
        fill(DEVICE, 1, 2, 2, SIZE_MAX),         fill(DEVICE, 1, SIZE_MAX, 1, 0),
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        blames(*state, all[i], "dst");
        assert_string_equal(said, "");
    }
    blames(*state, fill(DEVICE, 3, 1, 1, 0), "element_bytes");
    assert_string_equal(said, "");
}

static void a_refused_fill_is_blamed_on_what_is_wrong(void **state)
{
    answer = CUDA_ERROR_INVALID_VALUE;
    blames(*state, fill(DEVICE + 1, 2, 1, 1, 0), "dst");
    blames(*state, fill(DEVICE, 2, ROOM / 2 + 1, 1, 0), "dst");
    blames(*state, fill(NOWHERE, 2, 1, 1, 0), "dst");
    blames(*state, fill(FAR, 2, 1, 1, 0), "dst");
    blames(*state, fill(DEVICE, 1, 8, 2, 7), "pitch");
    blames(*state, fill(DEVICE, 2, 8, 1, 0), NULL);
}

/* ---- Values -------------------------------------------------------------------------- */

static rill_op values(const rill_value *items, size_t count, uint32_t flags)
{
    return (rill_op){ .kind = RILL_OP_VALUES, .values = { items, count, flags } };
}

static void one_value_takes_a_call_of_its_own_and_more_a_batch(void **state)
{
    const rill_value items[] = {
        { RILL_VALUE_WRITE_32, 5, 0x10, UINT64_C(0x200000003) },
        { RILL_VALUE_WAIT_64, 6, 0x20, UINT64_C(0x200000003) },
        { RILL_VALUE_WRITE_32, 7, 0x30, UINT64_C(0x200000003) },
    };
    submits(*state, values(items, 1, 0), "write 10 3 5");
    submits(*state, values(items, 1, 8), "batch of 1, 8; last 2 10 3 5");
    submits(*state, values(items, 2, 0), "batch of 2, 0; last 4 20 200000003 6");
    submits(*state, values(items, 3, 0), "batch of 3, 0; last 2 30 3 7");
    submits(*state, values(NULL, 0, 0), "batch of 0, 0; last -1 0 0 0");
}

static void a_batch_that_is_too_long_does_not_reach_the_driver(void **state)
{
    static rill_value items[256];
    for (int i = 0; i < 256; i++) items[i] = (rill_value){ RILL_VALUE_WRITE_32, 0, DEVICE, 1 };
    submits(*state, values(items, 255, 0), "batch of 255, 0; last 2 1000000 1 0");
    blames(*state, values(items, 256, 0), "count");
    assert_string_equal(said, "");
    blames(*state, values(items, SIZE_MAX, 0), "op->values.count");
}

static void a_refused_value_is_blamed_on_what_is_wrong(void **state)
{
    const struct {
        rill_value item;
        const char *argument;
    } all[] = {
        { { (rill_value_kind)7, 0, DEVICE, 0 }, "kind" },
        { { RILL_VALUE_WRITE_32, 1, DEVICE, 0 }, "flags" },
        { { RILL_VALUE_WAIT_32, 4, DEVICE, 0 }, "flags" },
        { { RILL_VALUE_BARRIER, 2, 0, 0 }, "flags" },
        { { RILL_VALUE_WRITE_32, 0, DEVICE + 2, 0 }, "address" },
        { { RILL_VALUE_WAIT_64, 0, DEVICE + 4, 0 }, "address" },
        { { RILL_VALUE_WAIT_64, 0, NOWHERE, 0 }, "address" },
        { { RILL_VALUE_WRITE_32, 0, FAR, 0 }, "address" },
        { { RILL_VALUE_WRITE_32, 0, PINNED, 0 }, NULL },
    };
    answer = CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const rill_value both[] = { { RILL_VALUE_WRITE_32, 0, DEVICE, 0 }, all[i].item };
        blames(*state, values(both, 2, 0), all[i].argument);
    }
    blames(*state, values(&all[8].item, 1, 1), "flags");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_row_takes_the_flat_call_of_its_kinds),
        TEST(everything_else_is_a_box_as_it_was_described),
        TEST(places_with_contexts_take_a_peer_call),
        TEST(a_refused_copy_is_blamed_on_the_side_at_fault),
        TEST(of_one_row_the_pitch_goes_unasked),
        TEST(fills_that_wrap_around_do_not_reach_the_driver),
        TEST(a_refused_fill_is_blamed_on_what_is_wrong),
        TEST(one_value_takes_a_call_of_its_own_and_more_a_batch),
        TEST(a_batch_that_is_too_long_does_not_reach_the_driver),
        TEST(a_refused_value_is_blamed_on_what_is_wrong),
    };
    return cmocka_run_group_tests_name("copies", tests, NULL, NULL);
}
