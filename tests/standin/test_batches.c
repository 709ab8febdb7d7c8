/* SPDX-License-Identifier: Apache-2.0
 *
 * Batches of copies: when their sources are read.
 */
#include "standin/library.h"

enum { WIDTH = 5, HEIGHT = 3, DEPTH = 2, PITCH = 16, ROWS = 4, BYTES = PITCH * ROWS * DEPTH };

static CUcontext context;
static CUstream stream;
static uint32_t *gate;        /* the stream waits until it is 1 */
static unsigned char *source; /* pinned                         */
static CUdeviceptr target;

static void *pinned(size_t bytes)
{
    void *memory = NULL;
    OK(CALL(cuMemHostAlloc, (void **, size_t, unsigned), (&memory, bytes, 0)));
    return memory;
}

static int begin(void **state)
{
    (void)state;
    OK(CALL(cuCtxCreate_v2, (CUcontext *, unsigned, CUdevice), (&context, 0, 0)));
    OK(CALL(cuStreamCreate, (CUstream *, unsigned), (&stream, 0)));
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&target, BYTES)));
    OK(CALL(cuMemsetD8_v2, (CUdeviceptr, unsigned char, size_t), (target, 0, BYTES)));
    OK(CALL(cuCtxSynchronize, (void), ()));
    gate = pinned(sizeof *gate);
    source = pinned(BYTES);
    __atomic_store_n(gate, 0, __ATOMIC_SEQ_CST);
    for (unsigned i = 0; i < BYTES; i++) source[i] = (unsigned char)(i + 1);
    OK(CALL(cuStreamWaitValue32_v2, (CUstream, CUdeviceptr, uint32_t, unsigned),
            (stream, (uintptr_t)gate, 1, RILL_WAIT_EQ)));
    return 0;
}

static int finish(void **state)
{
    (void)state;
    return CALL(cuCtxDestroy_v2, (CUcontext), (context));
}

/* What came out, with the source overwritten before the stream went on. */
static const unsigned char *copied(void)
{
    static unsigned char out[BYTES];
    memset(source, 0xee, BYTES);
    __atomic_store_n(gate, 1, __ATOMIC_SEQ_CST);
    OK(CALL(cuStreamSynchronize, (CUstream), (stream)));
    OK(CALL(cuMemcpyDtoH_v2, (void *, CUdeviceptr, size_t), (out, target, BYTES)));
    return out;
}

static void copy_row(int order)
{
    CUdeviceptr from = (uintptr_t)source;
    size_t bytes = BYTES, first = 0;
    CUmemcpyAttributes attributes = { .src_access_order = order };
    OK(CALL(cuMemcpyBatchAsync_v2,
            (CUdeviceptr *, CUdeviceptr *, size_t *, size_t, CUmemcpyAttributes *, size_t *, size_t,
             CUstream),
            (&target, &from, &bytes, 1, &attributes, &first, 1, stream)));
}

static CUDA_MEMCPY3D_BATCH_OP box(int order)
{
    CUDA_MEMCPY3D_BATCH_OP made = { .src_access_order = order };
    made.src.type = made.dst.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
    made.src.pointer.pointer = (uintptr_t)source;
    made.src.pointer.row_length = PITCH;
    made.src.pointer.layer_height = ROWS;
    made.dst.pointer.pointer = target;
    made.extent.width = WIDTH;
    made.extent.height = HEIGHT;
    made.extent.depth = DEPTH;
    return made;
}

static CUresult copy_box(CUDA_MEMCPY3D_BATCH_OP given)
{
    return CALL(cuMemcpy3DBatchAsync_v2,
                (size_t, CUDA_MEMCPY3D_BATCH_OP *, unsigned long long, CUstream),
                (1, &given, 0, stream));
}

static void a_row_is_read_when_it_was_said_to_be(void **state)
{
    (void)state;
    copy_row(CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL);
    const unsigned char *out = copied();
    for (unsigned i = 0; i < BYTES; i++) assert_int_equal(out[i], i + 1);
}

static void a_row_in_the_order_of_the_stream_is_read_then(void **state)
{
    (void)state;
    copy_row(CU_MEMCPY_SRC_ACCESS_ORDER_STREAM);
    assert_int_equal(copied()[0], 0xee);
}

static void a_box_is_read_when_it_was_said_to_be(void **state)
{
    (void)state;
    OK(copy_box(box(CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL)));
    const unsigned char *out = copied();
    for (unsigned z = 0; z < DEPTH; z++)
        for (unsigned y = 0; y < HEIGHT; y++)
            for (unsigned x = 0; x < WIDTH; x++)
                assert_int_equal(*out++, (z * ROWS + y) * PITCH + x + 1);
}

static void a_box_in_the_order_of_the_stream_is_read_then(void **state)
{
    (void)state;
    OK(copy_box(box(CU_MEMCPY_SRC_ACCESS_ORDER_STREAM)));
    assert_int_equal(copied()[0], 0xee);
}

/* Nor are they read. */
static void boxes_that_cannot_be_are_refused(void **state)
{
    (void)state;
    const int at_once = CU_MEMCPY_SRC_ACCESS_ORDER_DURING_API_CALL;
    CUDA_MEMCPY3D_BATCH_OP narrow = box(at_once), large = box(at_once), beyond = box(at_once);
    narrow.src.pointer.row_length = WIDTH - 1;
    large.src.pointer.row_length = SIZE_MAX / 2;
    beyond.extent.depth = 1000;
    assert_int_equal(copy_box(narrow), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(copy_box(large), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(copy_box(beyond), RILL_ERROR_INVALID_VALUE);
    assert_int_equal(copied()[0], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, finish)
        TEST(a_row_is_read_when_it_was_said_to_be),
        TEST(a_row_in_the_order_of_the_stream_is_read_then),
        TEST(a_box_is_read_when_it_was_said_to_be),
        TEST(a_box_in_the_order_of_the_stream_is_read_then),
        TEST(boxes_that_cannot_be_are_refused),
    };
    library_begin();
    return cmocka_run_group_tests_name("standin/batches", tests, NULL, NULL);
}
