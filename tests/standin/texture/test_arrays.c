/* SPDX-License-Identifier: Apache-2.0
 *
 * Arrays, and the copies that are the only way for the host to reach them: at once, in streams
 * and as nodes.
 */
#include "standin/texture/arrays.h"

enum { WIDTH = 7, HEIGHT = 5, DEPTH = 3, VOLUME = WIDTH * HEIGHT * DEPTH };

static uint32_t words[VOLUME], out[VOLUME];

static void number_words(void)
{
    for (unsigned i = 0; i < VOLUME; i++) words[i] = 1000 + i;
    memset(out, 0xee, sizeof out);
}

/* ---- What an array is ---------------------------------------------------------------- */

static void an_array_says_how_it_was_made(void **state)
{
    (void)state;
    CUDA_ARRAY3D_DESCRIPTOR told;
    CUDA_ARRAY_DESCRIPTOR flat = { WIDTH, HEIGHT, CU_AD_FORMAT_FLOAT, 2 };
    CUarray array = make_array(WIDTH, HEIGHT, DEPTH, CU_AD_FORMAT_HALF, 4,
                               CUDA_ARRAY3D_SURFACE_LDST), other = NULL;
    OK(CALL(cuArray3DGetDescriptor_v2, (CUDA_ARRAY3D_DESCRIPTOR *, CUarray), (&told, array)));
    assert_true(told.width == WIDTH && told.height == HEIGHT && told.depth == DEPTH);
    assert_true(told.format == CU_AD_FORMAT_HALF && told.channels == 4);
    assert_int_equal(told.flags, CUDA_ARRAY3D_SURFACE_LDST);
    OK(CALL(cuArrayCreate_v2, (CUarray *, const CUDA_ARRAY_DESCRIPTOR *), (&other, &flat)));
    memset(&flat, 0, sizeof flat);
    OK(CALL(cuArrayGetDescriptor_v2, (CUDA_ARRAY_DESCRIPTOR *, CUarray), (&flat, other)));
    assert_true(flat.width == WIDTH && flat.height == HEIGHT && flat.channels == 2);
    OK(end_array(array));
    OK(end_array(other));
}

static CUresult refused(size_t width, size_t height, size_t depth, int format, unsigned channels,
                        unsigned flags)
{
    CUarray array = NULL;
    CUresult status = try_array(&array, (CUDA_ARRAY3D_DESCRIPTOR){ width, height, depth, format,
                                                                   channels, flags });
    assert_null(array);
    return status;
}

static void what_is_no_array_is_refused(void **state)
{
    (void)state;
    const int u8 = CU_AD_FORMAT_UNSIGNED_INT8;
    assert_int_equal(refused(0, 0, 0, u8, 1, 0), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(refused(1, 1, 0, u8, 3, 0), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(refused(1, 1, 0, 0, 1, 0), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(refused(1, 0, 1, u8, 1, 0), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(refused(131073, 0, 0, u8, 1, 0), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(refused(8, 4, 6, u8, 1, CUDA_ARRAY3D_CUBEMAP), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(refused(8, 8, 5, u8, 1, CUDA_ARRAY3D_CUBEMAP), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(refused(8, 8, 0, u8, 1, CUDA_ARRAY3D_LAYERED), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(refused(8, 0, 0, u8, 1, CUDA_ARRAY3D_TEXTURE_GATHER),
                     RILL_ERROR_INVALID_VALUE);
    const unsigned gather = CUDA_ARRAY3D_TEXTURE_GATHER; /* as an H100: flat arrays alone */
    assert_int_equal(refused(8, 8, 2, u8, 1, gather), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(refused(8, 8, 2, u8, 1, gather | CUDA_ARRAY3D_LAYERED),
                     RILL_ERROR_INVALID_VALUE);
    assert_int_equal(refused(8, 8, 6, u8, 1, gather | CUDA_ARRAY3D_CUBEMAP),
                     RILL_ERROR_INVALID_VALUE);
    assert_int_equal(refused(8, 8, 0, u8, 1, 0x20), RILL_ERROR_INVALID_VALUE); /* of graphics */
    assert_int_equal(refused(8, 8, 0, u8, 1, 0x40), RILL_ERROR_NOT_SUPPORTED); /* sparse */
    assert_int_equal(refused(8, 8, 0, 0x91, 4, 0), RILL_ERROR_NOT_SUPPORTED); /* compressed */
}

/* ---- Copies -------------------------------------------------------------------------- */

static void boxes_go_in_and_come_out(void **state)
{
    (void)state;
    number_words();
    CUarray array = make_array(WIDTH, HEIGHT, DEPTH, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0);
    fill_array(array, words, sizeof *words * WIDTH, HEIGHT, DEPTH);
    read_array(array, out, sizeof *words * WIDTH, HEIGHT, DEPTH);
    assert_memory_equal(out, words, sizeof words);
    CUDA_MEMCPY3D box = { .src = in_array(array, 8, 3, 1), .dst = on_host(out, 12, 2),
                          .width = 12, .height = 2, .depth = 2 };
    OK(copy_box(&box));
    for (unsigned z = 0; z < 2; z++)
        for (unsigned y = 0; y < 2; y++)
            for (unsigned x = 0; x < 3; x++)
                assert_int_equal(out[(z * 2 + y) * 3 + x],
                                 1000 + ((z + 1) * HEIGHT + y + 3) * WIDTH + x + 2);
    OK(end_array(array));
}

static void a_box_that_is_not_inside_is_refused(void **state)
{
    (void)state;
    static const struct {
        size_t x, y, z, width, height, depth;
    } wrong[] = {
        { 4, 0, 0, 28, 1, 1 }, { 0, 5, 0, 4, 1, 1 }, { 0, 4, 0, 4, 2, 1 }, { 0, 0, 3, 4, 1, 1 },
        { 0, 0, 0, 4, 1, 4 }, { SIZE_MAX - 3, 0, 0, 8, 1, 1 }, { 0, 0, 0, 32, 1, 1 },
    };
    CUarray array = make_array(WIDTH, HEIGHT, DEPTH, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CUDA_MEMCPY3D box = { .src = in_array(array, wrong[i].x, wrong[i].y, wrong[i].z),
                              .dst = on_host(out, 32, 4), .width = wrong[i].width,
                              .height = wrong[i].height, .depth = wrong[i].depth };
        assert_int_equal(copy_box(&box), RILL_ERROR_INVALID_VALUE);
        box = (CUDA_MEMCPY3D){ .dst = box.src, .src = box.dst, .width = box.width,
                               .height = box.height, .depth = box.depth };
        assert_int_equal(copy_box(&box), RILL_ERROR_INVALID_VALUE);
    }
    CUDA_MEMCPY3D all = { .src = in_array(array, 0, 0, 0), .dst = on_host(out, 28, 5),
                          .width = 28, .height = 5, .depth = 3 };
    OK(copy_box(&all));
    OK(end_array(array));
}

/* As an H100 has it: neither begin nor end need be that of an element. */
static void bytes_go_in_and_come_out_in_a_row(void **state)
{
    (void)state;
    enum { OFFSET = 10, BYTES = 4 * WIDTH - 14 };
    CUdeviceptr memory = 0;
    CUarray one = make_array(WIDTH, 0, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0);
    CUarray two = make_array(VOLUME, 0, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0);
    number_words();
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&memory, sizeof words)));
    OK(CALL(cuMemcpyHtoA_v2, (CUarray, size_t, const void *, size_t),
            (one, OFFSET, words, BYTES)));
    OK(CALL(cuMemcpyAtoA_v2, (CUarray, size_t, CUarray, size_t, size_t),
            (two, 0, one, OFFSET, BYTES)));
    OK(CALL(cuMemcpyAtoD_v2, (CUdeviceptr, CUarray, size_t, size_t), (memory, two, 0, BYTES)));
    OK(CALL(cuMemcpyDtoA_v2, (CUarray, size_t, CUdeviceptr, size_t), (one, 0, memory, BYTES)));
    OK(CALL(cuMemcpyAtoH_v2, (void *, CUarray, size_t, size_t), (out, one, 0, BYTES)));
    assert_memory_equal(out, words, BYTES);
    assert_int_equal(CALL(cuMemcpyAtoH_v2, (void *, CUarray, size_t, size_t),
                          (out, two, 4, sizeof words)), RILL_ERROR_INVALID_VALUE);
    OK(end_array(one));
    OK(end_array(two));
}

static CUresult read_bytes(CUarray array, size_t offset, size_t bytes)
{
    unsigned char bytes_out[256];
    return CALL(cuMemcpyAtoH_v2, (void *, CUarray, size_t, size_t),
                (bytes_out, array, offset, bytes));
}

/* As an H100 answers for 90 pairs of an offset and a size each, all that matters among them. */
static void bytes_in_a_row_are_those_of_the_first(void **state)
{
    static const struct {
        size_t width, rows, slices;
        unsigned flags;
    } shapes[] = {
        { 5, 0, 0, 0 }, { 5, 3, 0, 0 }, { 5, 3, 2, 0 },
        { 5, 0, 3, CUDA_ARRAY3D_LAYERED }, { 5, 3, 2, CUDA_ARRAY3D_LAYERED },
    };
    static const struct {
        size_t offset, bytes;
        CUresult answer;
    } asked[] = {
        { 0, 0, 0 }, { 0, 20, 0 }, { 0, 24, 1 }, { 4, 12, 0 }, { 4, 20, 1 }, { 1, 4, 0 },
        { 8, 2, 0 }, { 20, 0, 0 }, { 20, 4, 1 }, { 24, 0, 0 }, { 60, 0, 0 }, { 56, 4, 1 },
        { 120, 0, 0 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        CUarray array = make_array(shapes[i].width, shapes[i].rows, shapes[i].slices,
                                   CU_AD_FORMAT_UNSIGNED_INT32, 1, shapes[i].flags);
        uint32_t row[2] = { 7, 8 }, back[2] = { 0 };
        for (size_t k = 0; k < sizeof asked / sizeof asked[0]; k++)
            assert_int_equal(read_bytes(array, asked[k].offset, asked[k].bytes), asked[k].answer);
        OK(CALL(cuMemcpyHtoA_v2, (CUarray, size_t, const void *, size_t), (array, 4, row, 8)));
        OK(CALL(cuMemcpyAtoA_v2, (CUarray, size_t, CUarray, size_t, size_t),
                (array, 12, array, 4, 8)));
        OK(CALL(cuMemcpyAtoH_v2, (void *, CUarray, size_t, size_t), (back, array, 12, 8)));
        assert_memory_equal(back, row, 8);
        OK(end_array(array));
    }
}

static void copies_in_a_stream_come_in_their_order(void **state)
{
    (void)state;
    CUstream stream = NULL;
    number_words();
    CUarray array = make_array(WIDTH, HEIGHT, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0);
    CUarray line = make_array(WIDTH, 0, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0);
    OK(CALL(cuStreamCreate, (CUstream *, unsigned), (&stream, 1)));
    CUDA_MEMCPY2D rows = { .src = { .kind = CU_MEMORYTYPE_HOST, .host = words, .pitch = 28 },
                           .dst = { .kind = CU_MEMORYTYPE_ARRAY, .array = array },
                           .width = 28, .height = 5 };
    OK(CALL(cuMemcpy2DAsync_v2, (const CUDA_MEMCPY2D *, CUstream), (&rows, stream)));
    rows = (CUDA_MEMCPY2D){ .src = { .y = 2, .kind = CU_MEMORYTYPE_ARRAY, .array = array },
                            .dst = { .kind = CU_MEMORYTYPE_ARRAY, .array = line },
                            .width = 28, .height = 1 };
    OK(CALL(cuMemcpy2DAsync_v2, (const CUDA_MEMCPY2D *, CUstream), (&rows, stream)));
    OK(CALL(cuMemcpyAtoHAsync_v2, (void *, CUarray, size_t, size_t, CUstream),
            (out, line, 4, 24, stream)));
    OK(CALL(cuStreamSynchronize, (CUstream), (stream)));
    for (unsigned i = 0; i < 6; i++) assert_int_equal(out[i], 1000 + 2 * WIDTH + 1 + i);
    assert_int_equal(out[6], 0xeeeeeeee);
    OK(end_array(array));
    OK(end_array(line));
}

/* As an H100 answers: the stream says where, unless there is none. */
static void a_copy_between_peers_needs_no_current_context(void **state)
{
    (void)state;
    CUstream stream = NULL;
    CUcontext before = NULL;
    CUdeviceptr managed = 0;
    CUarray array = make_array(WIDTH, HEIGHT, DEPTH, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0);
    number_words();
    OK(CALL(cuStreamCreate, (CUstream *, unsigned), (&stream, 0)));
    OK(CALL(cuMemAllocManaged, (CUdeviceptr *, size_t, unsigned), (&managed, sizeof words, 1)));
    memcpy((void *)(uintptr_t)managed, words, sizeof words);
    OK(CALL(cuCtxPopCurrent_v2, (CUcontext *), (&before)));
    CUDA_MEMCPY3D_PEER box = {
        .dst = in_array(array, 0, 0, 0),
        .src = { .kind = CU_MEMORYTYPE_UNIFIED, .device = managed, .pitch = WIDTH * 4,
                 .rows = HEIGHT },
        .width = WIDTH * 4,
        .height = HEIGHT,
        .depth = DEPTH,
    };
    assert_int_equal(CALL(cuMemcpy3DPeerAsync, (const CUDA_MEMCPY3D_PEER *, CUstream),
                          (&box, NULL)), RILL_ERROR_INVALID_CONTEXT);
    assert_int_equal(CALL(cuMemcpy3DPeer, (const CUDA_MEMCPY3D_PEER *), (&box)),
                     RILL_ERROR_INVALID_CONTEXT);
    OK(CALL(cuMemcpy3DPeerAsync, (const CUDA_MEMCPY3D_PEER *, CUstream), (&box, stream)));
    box.src.context = before;
    OK(CALL(cuMemcpy3DPeerAsync, (const CUDA_MEMCPY3D_PEER *, CUstream), (&box, stream)));
    OK(CALL(cuStreamSynchronize, (CUstream), (stream)));
    OK(CALL(cuCtxPushCurrent_v2, (CUcontext), (before)));
    OK(copy_box(&(CUDA_MEMCPY3D){ .dst = on_host(out, WIDTH * 4, HEIGHT),
                                  .src = in_array(array, 0, 0, 0),
                                  .width = WIDTH * 4,
                                  .height = HEIGHT,
                                  .depth = DEPTH }));
    assert_memory_equal(out, words, sizeof out);
    OK(end_array(array));
}

static void a_node_copies_out_of_an_array(void **state)
{
    (void)state;
    CUgraph graph = NULL;
    CUgraphExec exec = NULL;
    CUgraphNode node = NULL;
    CUDA_MEMCPY3D told;
    number_words();
    CUarray array = make_array(WIDTH, HEIGHT, DEPTH, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0);
    fill_array(array, words, 28, HEIGHT, DEPTH);
    CUDA_MEMCPY3D box = { .src = in_array(array, 4, 1, 2), .dst = on_host(out, 8, 2),
                          .width = 8, .height = 2, .depth = 1 };
    OK(CALL(cuGraphCreate, (CUgraph *, unsigned), (&graph, 0)));
    OK(CALL(cuGraphAddMemcpyNode,
            (CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const CUDA_MEMCPY3D *,
             CUcontext), (&node, graph, NULL, 0, &box, context)));
    OK(CALL(cuGraphMemcpyNodeGetParams, (CUgraphNode, CUDA_MEMCPY3D *), (node, &told)));
    assert_true(told.src.kind == CU_MEMORYTYPE_ARRAY && told.src.array == array);
    assert_true(told.src.x == 4 && told.src.y == 1 && told.src.z == 2 && !told.src.device);
    OK(CALL(cuGraphInstantiateWithFlags, (CUgraphExec *, CUgraph, unsigned long long),
            (&exec, graph, 0)));
    OK(CALL(cuGraphLaunch, (CUgraphExec, CUstream), (exec, NULL)));
    OK(CALL(cuCtxSynchronize, (void), ()));
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(out[i], 1000 + (2 * HEIGHT + 1 + i / 2) * WIDTH + 1 + i % 2);
    box.src.y = 4;
    assert_int_equal(CALL(cuGraphExecMemcpyNodeSetParams,
                          (CUgraphExec, CUgraphNode, const CUDA_MEMCPY3D *, CUcontext),
                          (exec, node, &box, context)), RILL_ERROR_INVALID_VALUE);
    OK(CALL(cuGraphExecDestroy, (CUgraphExec), (exec)));
    OK(CALL(cuGraphDestroy, (CUgraph), (graph)));
    OK(end_array(array));
}

/* ---- The end ------------------------------------------------------------------------- */

static void a_destroyed_array_is_gone(void **state)
{
    (void)state;
    CUDA_ARRAY3D_DESCRIPTOR told;
    CUarray array = make_array(WIDTH, HEIGHT, DEPTH, CU_AD_FORMAT_UNSIGNED_INT32, 1, 0);
    CUDA_MEMCPY3D box = { .src = in_array(array, 0, 0, 0), .dst = on_host(out, 4, 1),
                          .width = 4, .height = 1, .depth = 1 };
    OK(end_array(array));
    assert_int_equal(end_array(array), RILL_ERROR_INVALID_HANDLE);
    assert_int_equal(CALL(cuArray3DGetDescriptor_v2, (CUDA_ARRAY3D_DESCRIPTOR *, CUarray),
                          (&told, array)), RILL_ERROR_INVALID_HANDLE);
    assert_int_equal(copy_box(&box), RILL_ERROR_INVALID_HANDLE);
    box.src.array = NULL;
    assert_int_equal(copy_box(&box), RILL_ERROR_INVALID_VALUE);
    box.src.array = (CUarray)(void *)words;
    assert_int_equal(copy_box(&box), RILL_ERROR_INVALID_HANDLE);
}

static void arrays_go_with_their_context_and_count_as_memory(void **state)
{
    (void)state;
    enum { SIDE = 1024 };
    CUcontext other = NULL;
    size_t before = 0, with = 0, after = 0, all;
    OK(CALL(cuMemGetInfo_v2, (size_t *, size_t *), (&before, &all)));
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&other, 0, 0)));
    CUarray array = make_array(SIDE, SIDE, 0, CU_AD_FORMAT_FLOAT, 4, 0);
    OK(CALL(cuMemGetInfo_v2, (size_t *, size_t *), (&with, &all)));
    assert_true(before - with >= 16 * SIDE * SIDE);
    OK(CALL(cuCtxDestroy_v2, (CUcontext), (other)));
    OK(CALL(cuCtxSetCurrent, (CUcontext), (context)));
    OK(CALL(cuMemGetInfo_v2, (size_t *, size_t *), (&after, &all)));
    assert_int_equal(after, before);
    assert_int_equal(end_array(array), RILL_ERROR_INVALID_HANDLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_array_says_how_it_was_made, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_no_array_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(boxes_go_in_and_come_out, setup, teardown),
        cmocka_unit_test_setup_teardown(a_box_that_is_not_inside_is_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(bytes_go_in_and_come_out_in_a_row, setup, teardown),
        cmocka_unit_test_setup_teardown(bytes_in_a_row_are_those_of_the_first, setup, teardown),
        cmocka_unit_test_setup_teardown(copies_in_a_stream_come_in_their_order, setup, teardown),
        cmocka_unit_test_setup_teardown(a_copy_between_peers_needs_no_current_context, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_node_copies_out_of_an_array, setup, teardown),
        cmocka_unit_test_setup_teardown(a_destroyed_array_is_gone, setup, teardown),
        cmocka_unit_test_setup_teardown(arrays_go_with_their_context_and_count_as_memory, setup,
                                        teardown),
    };
    library_begin();
    return cmocka_run_group_tests_name("standin/texture/arrays", tests, NULL, NULL);
}
