/* SPDX-License-Identifier: Apache-2.0
 *
 * A program for asan.sh, built with -fsanitize=address: touches memory of a simulated device in a
 * host function, where argv[1] says.
 */
#include <rill/rill.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OK(call) \
    do { \
        if (call) { \
            fprintf(stderr, "%s: %s\n", #call, rill_last_error()->message); \
            exit(2); \
        } \
    } while (0)

static void touch(void *byte)
{
    *(volatile char *)byte = 1;
}

static rill_context *context;
static rill_stream *stream;

static void touch_at(rill_devptr address)
{
    OK(rill_launch_host(stream, touch, (void *)(uintptr_t)address, NULL));
    OK(rill_stream_synchronize(stream));
}

static rill_devptr allocate(size_t bytes)
{
    rill_devptr address;
    OK(rill_mem_alloc(context, bytes, &address));
    return address;
}

static rill_devptr allocate_in_order(size_t bytes)
{
    rill_devptr address;
    OK(rill_mem_alloc_async(stream, bytes, &address));
    return address;
}

static void free_in_order(rill_devptr address)
{
    OK(rill_mem_free_async(stream, address));
    OK(rill_stream_synchronize(stream));
}

static void touch_where(const char *where)
{
    rill_devptr first = allocate(1000), second = allocate(4096), pooled = allocate_in_order(1000);
    if (!strcmp(where, "inside")) {
        touch_at(first), touch_at(first + 999), touch_at(second + 4095), touch_at(pooled + 999);
        OK(rill_launch_host(stream, touch, (void *)(uintptr_t)pooled, NULL));
        free_in_order(pooled); /* while the touch is pending */
        touch_at(allocate_in_order(1000) + 999);
        OK(rill_mem_free(context, first));
        touch_at(allocate(1000) + 999);
    } else if (!strcmp(where, "behind")) {
        touch_at(first + 1000);
    } else if (!strcmp(where, "behind-full")) {
        touch_at(second + 4096);
    } else if (!strcmp(where, "freed")) {
        OK(rill_mem_free(context, first));
        touch_at(first);
    } else if (!strcmp(where, "freed-in-order")) {
        free_in_order(first);
        touch_at(first);
    } else if (!strcmp(where, "never")) {
        touch_at(second + (1 << 20));
    }
}

int main(int argc, char **argv)
{
    rill_platform *platform;
    OK(rill_open(NULL, &platform));
    OK(rill_context_create(platform, NULL, &context));
    OK(rill_stream_create(context, NULL, &stream));
    if (argc > 1) touch_where(argv[1]);
    OK(rill_stream_destroy(&stream));
    OK(rill_context_destroy(&context));
    OK(rill_close(&platform));
    puts("done");
    return 0;
}
