/* SPDX-License-Identifier: Apache-2.0
 *
 * Tensor maps, and a launch of clusters whose blocks copy boxes by one.  What is refused follows
 * the driver's documentation.
 */
#include "standin/library.h"

#define HEAD ".version 8.0\n.target sm_90\n.address_size 64\n"

/* Block 1 of 2 loads a box of 16 x 8 words for both; each thread stores a word of it. */
static const char text[] = HEAD
    ".visible .entry k(.param .align 64 .b8 map[128], .param .u64 out)\n{\n"
    ".reg .b32 %r<9>; .reg .b64 %l<5>; .reg .pred %p<4>; .reg .b16 %h;\n"
    ".shared .align 128 .b8 room[512]; .shared .align 8 .b64 gate;\n"
    "mov.b64 %l0, map; cvta.param.u64 %l0, %l0; ld.param.u64 %l1, [out];\n"
    "mov.u32 %r0, %tid.x; mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, room; mov.u32 %r3, gate;\n"
    "setp.eq.u32 %p0, %r0, 0; setp.eq.and.u32 %p1, %r1, 1, %p0; mov.u16 %h, 3;\n"
    "@%p0 mbarrier.init.shared::cta.b64 [gate], 1; fence.mbarrier_init.release.cluster;\n"
    "barrier.cluster.arrive; barrier.cluster.wait;\n"
    "@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 _, [gate], 512;\n"
    "@%p1 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
    ".multicast::cluster [%r2], [%l0, {4, 2}], [%r3], %h;\n"
    "AGAIN: mbarrier.try_wait.parity.shared::cta.b64 %p2, [gate], 0; @!%p2 bra AGAIN;\n"
    "mad.lo.u32 %r4, %r1, 128, %r0; mad.wide.u32 %l2, %r4, 4, %l1; mad.lo.u32 %r5, %r0, 4, %r2;\n"
    "ld.shared.u32 %r6, [%r5]; st.global.u32 [%l2], %r6;\n"
    "barrier.cluster.arrive; barrier.cluster.wait; ret;\n}\n";

struct map {
    _Alignas(64) unsigned char bytes[128];
};

/* What a map is made of, good as it is. */
struct tensor {
    unsigned type, rank;
    CUdeviceptr address;
    uint64_t sizes[5], strides[4];
    unsigned box[5], steps[5], interleave, swizzle, fill;
};

enum { TYPE_U16 = 1, TYPE_S32 = 3, TYPE_F16 = 6 };

static struct tensor good_tensor(CUdeviceptr address)
{
    return (struct tensor){ .type = TYPE_S32, .rank = 2, .address = address, .sizes = { 60, 40 },
                            .strides = { 256 }, .box = { 16, 8 }, .steps = { 1, 1 } };
}

static CUresult encode(void *map, const struct tensor *tensor)
{
    return CALL(cuTensorMapEncodeTiled,
                (void *, unsigned, unsigned, CUdeviceptr, const uint64_t *, const uint64_t *,
                 const unsigned *, const unsigned *, unsigned, unsigned, unsigned, unsigned),
                (map, tensor->type, tensor->rank, tensor->address, tensor->sizes, tensor->strides,
                 tensor->box, tensor->steps, tensor->interleave, tensor->swizzle, 0,
                 tensor->fill));
}

static void a_map_is_checked(void **state)
{
    const struct tensor good = good_tensor(0x10000);
    struct map map;
    (void)state;
    OK(encode(&map, &good));
    assert_int_equal(encode(NULL, &good), RILL_ERROR_INVALID_VALUE);
#define REFUSED(status, field, value) \
    do { \
        struct tensor bad = good; \
        bad.field = (value); \
        assert_int_equal(encode(&map, &bad), status); \
    } while (0)
    REFUSED(RILL_ERROR_INVALID_VALUE, address, 0);
    REFUSED(RILL_ERROR_INVALID_VALUE, address, 0x10008);
    REFUSED(RILL_ERROR_INVALID_VALUE, rank, 0);
    REFUSED(RILL_ERROR_INVALID_VALUE, rank, 6);
    REFUSED(RILL_ERROR_INVALID_VALUE, sizes[0], 0);
    REFUSED(RILL_ERROR_INVALID_VALUE, strides[0], 250);
    REFUSED(RILL_ERROR_INVALID_VALUE, box[0], 3);
    REFUSED(RILL_ERROR_INVALID_VALUE, box[1], 257);
    REFUSED(RILL_ERROR_INVALID_VALUE, steps[1], 9);
    REFUSED(RILL_ERROR_INVALID_VALUE, swizzle, 1);
    REFUSED(RILL_ERROR_INVALID_VALUE, fill, 1);
    REFUSED(RILL_ERROR_INVALID_VALUE, interleave, 1); /* of two dimensions */
    REFUSED(RILL_ERROR_NOT_SUPPORTED, type, 14);
#undef REFUSED
}

/* As an H200 answered (driver 580.159.04): 192 KiB are taken, and 256 are not. */
static void a_box_is_as_large_as_what_a_block_shares(void **state)
{
    struct tensor tensor = { .type = TYPE_S32, .rank = 3, .address = 0x10000,
                             .sizes = { 256, 256, 256 }, .strides = { 1024, 262144 },
                             .box = { 64, 256, 3 }, .steps = { 1, 1, 1 } };
    struct map map;
    (void)state;
    OK(encode(&map, &tensor));
    tensor.box[2] = 4;
    assert_int_equal(encode(&map, &tensor), RILL_ERROR_INVALID_VALUE);
    tensor.steps[1] = 2;
    OK(encode(&map, &tensor));
}

/* Interleaving is not simulated, and refused after what a driver refuses. */
static void interleaved_rows_have_rules_of_their_own(void **state)
{
    struct tensor tensor = { .type = TYPE_S32, .rank = 3, .address = 0x10000,
                             .sizes = { 64, 64, 64 }, .strides = { 16, 1024 },
                             .box = { 64, 8, 1 }, .steps = { 1, 1, 1 }, .interleave = 1,
                             .swizzle = 1 };
    struct map map;
    (void)state;
    assert_int_equal(encode(&map, &tensor), RILL_ERROR_NOT_SUPPORTED);
    tensor.interleave = 2;
    assert_int_equal(encode(&map, &tensor), RILL_ERROR_INVALID_VALUE);
    tensor.strides[0] = 32;
    assert_int_equal(encode(&map, &tensor), RILL_ERROR_NOT_SUPPORTED);
    tensor.box[0] = 2;
    assert_int_equal(encode(&map, &tensor), RILL_ERROR_INVALID_VALUE);
}

static CUfunction open_kernel(CUmodule *module)
{
    CUfunction kernel;
    OK(CALL(cuModuleLoadData, (CUmodule *, const void *), (module, text)));
    OK(CALL(cuModuleGetFunction, (CUfunction *, CUmodule, const char *), (&kernel, *module, "k")));
    return kernel;
}

static CUresult launch(CUfunction kernel, unsigned cluster, void **params)
{
    CUlaunchAttribute attribute = { .id = RILL_ATTRIBUTE_CLUSTER };
    attribute.value.cluster = (rill_dim3){ cluster, 1, 1 };
    const CUlaunchConfig config = { .grid = { 2, 1, 1 }, .block = { 128, 1, 1 },
                                    .attributes = &attribute, .attribute_count = 1 };
    return CALL(cuLaunchKernelEx, (const CUlaunchConfig *, CUfunction, void **, void **),
                (&config, kernel, params, NULL));
}

static void blocks_of_a_cluster_copy_a_box(void **state)
{
    static int words[64 * 40], out[256];
    CUdeviceptr memory, result;
    CUmodule module;
    struct map map;
    (void)state;
    CUfunction kernel = open_kernel(&module);
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&memory, sizeof words)));
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&result, sizeof out)));
    for (int i = 0; i < 64 * 40; i++) words[i] = i;
    OK(CALL(cuMemcpyHtoD_v2, (CUdeviceptr, const void *, size_t), (memory, words, sizeof words)));
    struct tensor tensor = good_tensor(result);
    OK(encode(&map, &tensor));
    OK(CALL(cuTensorMapReplaceAddress, (void *, CUdeviceptr), (&map, memory)));
    void *params[] = { &map, &result };
    OK(launch(kernel, 2, params));
    assert_int_equal(launch(kernel, 3, params), RILL_ERROR_INVALID_CLUSTER_SIZE);
    OK(CALL(cuMemcpyDtoH_v2, (void *, CUdeviceptr, size_t), (out, result, sizeof out)));
    for (int i = 0; i < 256; i++) {
        int expected = (i % 128 / 16 + 2) * 64 + i % 16 + 4;
        assert_int_equal(out[i], expected);
    }
    OK(CALL(cuModuleUnload, (CUmodule), (module)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_map_is_checked),
        cmocka_unit_test(a_box_is_as_large_as_what_a_block_shares),
        cmocka_unit_test(interleaved_rows_have_rules_of_their_own),
        cmocka_unit_test(blocks_of_a_cluster_copy_a_box),
    };
    CUcontext context;
    library_begin();
    OK(CALL(cuDevicePrimaryCtxRetain, (CUcontext *, int), (&context, 0)));
    OK(CALL(cuCtxSetCurrent, (CUcontext), (context)));
    return cmocka_run_group_tests(tests, NULL, NULL);
}
