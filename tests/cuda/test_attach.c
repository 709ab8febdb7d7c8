/* SPDX-License-Identifier: Apache-2.0
 *
 * Managed memory is attached as a whole: the driver, which does not survive anything else,
 * is asked for nothing else.
 */
#include <string.h>

#include "backend-cuda/driver/driver.h"
#include "cuda/fake.h"
#include "support/cmocka_all.h"

#define MANAGED UINT64_C(0x1000000)
#define PLAIN UINT64_C(0x2000000)
#define ROOM 4096

/* ---- A driver that counts ------------------------------------------------------------------ */

static int asked;
static CUstreamCaptureStatus capture;

static CUresult CUDAAPI attach(CUstream stream, CUdeviceptr address, size_t bytes, unsigned flags)
{
    (void)stream, (void)address, (void)bytes, (void)flags;
    asked++;
    return capture ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS;
}

static CUresult CUDAAPI is_capturing(CUstream stream, CUstreamCaptureStatus *status)
{
    (void)stream;
    *status = capture;
    return CUDA_SUCCESS;
}

static void tell(CUpointer_attribute attribute, void *place, CUdeviceptr base)
{
    switch ((int)attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE: *(unsigned *)place = CU_MEMORYTYPE_DEVICE; break;
    case CU_POINTER_ATTRIBUTE_IS_MANAGED: *(unsigned *)place = base == MANAGED; break;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: *(CUdeviceptr *)place = base; break;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE: *(size_t *)place = ROOM; break;
    }
}

static CUresult CUDAAPI attributes(unsigned count, CUpointer_attribute *questions, void **places,
                                   CUdeviceptr address)
{
    for (unsigned i = 0; i < count; i++)
        tell(questions[i], places[i], address / ROOM * ROOM);
    return CUDA_SUCCESS;
}

/* ---- The scene ------------------------------------------------------------------------------ */

struct scene {
    rill_platform *platform;
    rill_context *context;
    rill_stream *stream;
};

static int set_up(void **state)
{
    static struct scene scene;
    scene = (struct scene){ .platform = NULL };
    fake_load();
    assert_int_equal(fake_open(&scene.platform), RILL_SUCCESS);
    assert_int_equal(rill_context_create(scene.platform, NULL, &scene.context), RILL_SUCCESS);
    assert_int_equal(rill_stream_create(scene.context, NULL, &scene.stream), RILL_SUCCESS);
    cuda_api.StreamAttachMemAsync = attach;
    cuda_api.StreamIsCapturing = is_capturing;
    cuda_api.PointerGetAttributes = attributes;
    asked = 0;
    capture = CU_STREAM_CAPTURE_STATUS_NONE;
    *state = &scene;
    return 0;
}

static int tear_down(void **state)
{
    struct scene *scene = *state;
    capture = CU_STREAM_CAPTURE_STATUS_NONE;
    rill_stream_destroy(&scene->stream);
    rill_context_destroy(&scene->context);
    rill_close(&scene->platform);
    return 0;
}

static void refuses(rill_stream *stream, rill_devptr address, size_t bytes, uint32_t flags,
                    const char *argument)
{
    assert_int_equal(rill_stream_attach(stream, address, bytes, flags), RILL_ERROR_INVALID_VALUE);
    assert_string_equal(rill_last_error()->argument, argument);
    assert_int_equal(asked, 0);
}

/* ---- Tests ---------------------------------------------------------------------------------- */

static void all_of_an_allocation_is_attached_by_the_driver(void **state)
{
    struct scene *scene = *state;
    rill_stream *legacy = rill_stream_legacy(scene->context);
    assert_int_equal(rill_stream_attach(scene->stream, MANAGED, 0, RILL_ATTACH_SINGLE), 0);
    assert_int_equal(rill_stream_attach(scene->stream, MANAGED, ROOM, RILL_ATTACH_HOST), 0);
    assert_int_equal(rill_stream_attach(legacy, MANAGED, 0, RILL_ATTACH_GLOBAL), 0);
    assert_int_equal(asked, 3);
}

static void a_part_does_not_reach_the_driver(void **state)
{
    struct scene *scene = *state;
    refuses(scene->stream, MANAGED + 4, 0, RILL_ATTACH_SINGLE, "address");
    refuses(scene->stream, MANAGED, ROOM - 4, RILL_ATTACH_SINGLE, "bytes");
}

static void unknown_flags_do_not_reach_the_driver(void **state)
{
    struct scene *scene = *state;
    refuses(scene->stream, MANAGED, 0, 0, "flags");
    refuses(scene->stream, MANAGED, 0, 3, "flags");
    refuses(rill_stream_legacy(scene->context), MANAGED, 0, RILL_ATTACH_SINGLE, "stream");
}

static void memory_that_is_not_managed_is_the_drivers_to_refuse(void **state)
{
    struct scene *scene = *state;
    rill_stream_attach(scene->stream, PLAIN + 4, 0, RILL_ATTACH_SINGLE);
    assert_int_equal(asked, 1);
}

static void a_stream_that_captures_is_the_drivers_to_refuse(void **state)
{
    struct scene *scene = *state;
    capture = CU_STREAM_CAPTURE_STATUS_ACTIVE;
    assert_int_equal(rill_stream_attach(scene->stream, MANAGED + 4, 0, RILL_ATTACH_SINGLE),
                     RILL_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    assert_int_equal(asked, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(all_of_an_allocation_is_attached_by_the_driver),
        TEST(a_part_does_not_reach_the_driver),
        TEST(unknown_flags_do_not_reach_the_driver),
        TEST(memory_that_is_not_managed_is_the_drivers_to_refuse),
        TEST(a_stream_that_captures_is_the_drivers_to_refuse),
    };
    return cmocka_run_group_tests_name("attach", tests, NULL, NULL);
}
