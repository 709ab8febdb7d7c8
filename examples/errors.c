/* SPDX-License-Identifier: Apache-2.0
 *
 * What the library says when a call fails.  Each step here does something wrong, shows
 * the record that it leaves, and checks the status.  What it says is at the end.
 */
#include <rill/sim.h>
#include <string.h>

#include "must.h"

static int surprises;

/* The calling thread's last failure. */
static void show(const char *what, rill_status status, rill_status expected)
{
    const rill_error *error = rill_last_error();
    printf("%s\n  %s: %s", what, rill_error_name(status), error->operation);
    if (error->object[0]) printf(" on %s", error->object);
    if (error->argument) printf(", argument %s", error->argument);
    printf("\n  %s\n", error->message);
    if (error->cause.status)
        printf("  first caused by %s on %s\n", error->cause.operation, error->cause.object);
    if (status == expected && error->status == status) return;
    printf("  expected  %s\n", rill_error_name(expected));
    surprises++;
}

/* ---- Mistakes in a call: refused at once, and nothing has changed ------------- */

static void memory(rill_context *context, rill_stream *stream)
{
    char host[100] = { 0 };
    rill_devptr address;
    MUST(rill_mem_alloc(context, 64, &address));
    show("A copy of 100 bytes into an allocation of 64:",
         rill_memcpy_htod_async(stream, address, host, sizeof host), RILL_ERROR_INVALID_VALUE);
    MUST(rill_mem_free(context, address));
    show("A fill of memory that was freed:", rill_memset_d8_async(stream, address, 0, 64),
         RILL_ERROR_INVALID_VALUE);
}

static void events(rill_context *context, rill_stream *stream)
{
    show("A wait for an event that is not there:", rill_stream_wait_event(stream, NULL, 0),
         RILL_ERROR_INVALID_HANDLE);

    rill_event *start, *end;
    float milliseconds;
    const rill_event_options timed = {
        .size = sizeof timed, .flags = RILL_EVENT_TIMING, .label = "start",
    };
    MUST(rill_event_create(context, &timed, &start));
    MUST(rill_event_create(context, NULL, &end));
    MUST(rill_event_record(start, stream, 0));
    MUST(rill_event_record(end, stream, 0));
    show("The time until an event that keeps no time:",
         rill_event_elapsed(start, end, &milliseconds), RILL_ERROR_INVALID_HANDLE);
    MUST(rill_event_destroy(&start));
    MUST(rill_event_destroy(&end));
}

static void wait_inside(void *data)
{
    show("A host function that waits for its own stream:", rill_stream_synchronize(data),
         RILL_ERROR_NOT_PERMITTED);
}

/* ---- A failure of the device: it stays ------------------------------------------ */

static void divide(const rill_launch *launch)
{
    if (RILL_ARGUMENT(launch, 0, int) == 0)
        rill_sim_fault(launch, RILL_ERROR_LAUNCH_FAILED, "division by zero");
}

static void kernels(rill_context *context, rill_stream *stream)
{
    static const rill_param params[] = { RILL_PARAM(int) };
    static const rill_function function = {
        .name = "divide", .over_grid = divide, .params = params, .param_count = 1,
    };
    const rill_image image = { .size = sizeof image, .functions = &function, .function_count = 1 };
    rill_module *module;
    rill_kernel *kernel;
    MUST(rill_module_load(context, &image, &module));
    MUST(rill_module_kernel(module, "divide", &kernel));

    const rill_dim3 one = { 1, 1, 1 }, large = { 2048, 1, 1 };
    int divisor = 0;
    const void *arguments[] = { &divisor };
    show("A launch with more threads in a block than a block may have:",
         rill_launch_kernel(stream, kernel, one, large, 0, arguments), RILL_ERROR_INVALID_VALUE);

    MUST(rill_launch_kernel(stream, kernel, one, one, 0, arguments));
    show("Waiting for a kernel that fails:", rill_stream_synchronize(stream),
         RILL_ERROR_LAUNCH_FAILED);
    show("Any later call, here on another stream:",
         rill_stream_query(rill_stream_legacy(context)), RILL_ERROR_LAUNCH_FAILED);
    rill_module_unload(&module); /* done, although it reports the failure again */
}

int main(void)
{
    rill_platform *platform;
    rill_context *context;
    rill_stream *stream;
    const rill_open_options sim = { .size = sizeof sim, .backend = "sim" };
    const rill_stream_options named = { .size = sizeof named, .label = "upload" };
    MUST(rill_open(&sim, &platform));
    MUST(rill_context_create(platform, NULL, &context));
    MUST(rill_stream_create(context, &named, &stream));

    memory(context, stream);
    events(context, stream);
    MUST(rill_launch_host(stream, wait_inside, stream, NULL));
    MUST(rill_stream_synchronize(stream));
    kernels(context, stream);

    rill_stream_destroy(&stream);
    rill_context_destroy(&context);
    rill_close(&platform);
    printf("%d of these were not as expected\n", surprises);
    return surprises ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* This prints:
 *
 *     A copy of 100 bytes into an allocation of 64:
 *       RILL_ERROR_INVALID_VALUE: rill_memcpy_htod_async on stream 'upload', argument dst
 *       100 bytes at 0x… go 36 beyond the end of the allocation of 64 bytes at 0x…
 *     A fill of memory that was freed:
 *       RILL_ERROR_INVALID_VALUE: rill_memset_d8_async on stream 'upload', argument dst
 *       0x… is not in an allocation: it is an address of a device where nothing is allocated
 *     A wait for an event that is not there:
 *       RILL_ERROR_INVALID_HANDLE: rill_stream_wait_event on stream 'upload', argument event
 *       event is NULL; pass an event from rill_event_create()
 *     The time until an event that keeps no time:
 *       RILL_ERROR_INVALID_HANDLE: rill_event_elapsed on event 'start', argument end
 *       the event was created without RILL_EVENT_TIMING
 *     A host function that waits for its own stream:
 *       RILL_ERROR_NOT_PERMITTED: rill_stream_synchronize on stream 'upload'
 *       a host function waits for work that comes after the function itself, which would never end
 *     A launch with more threads in a block than a block may have:
 *       RILL_ERROR_INVALID_VALUE: rill_launch_kernel on stream 'upload', argument block
 *       launch of 'divide': a block of 2048 x 1 x 1; it may have 1024 threads, and …
 *     Waiting for a kernel that fails:
 *       RILL_ERROR_LAUNCH_FAILED: rill_stream_synchronize on stream 'upload'
 *       the device failed: division by zero; nothing works on this platform until it is closed …
 *       first caused by kernel 'divide' on stream 'upload'
 *     Any later call, here on another stream:
 *       RILL_ERROR_LAUNCH_FAILED: rill_stream_query on stream …
 *       the device failed: division by zero; nothing works on this platform until it is closed …
 *       first caused by kernel 'divide' on stream 'upload'
 *     0 of these were not as expected
 */
