/* SPDX-License-Identifier: Apache-2.0
 *
 * A kernel in PTX, as nvcc, clang or a generator of one's own makes it, on the simulator
 * or a GPU: how often each value of a byte is among a million, counted in a variable of
 * the module.  On the simulator the same kernel is then launched with a mistake, which
 * shows what a fault tells.  It prints:
 *
 *     byte 0 was seen 6400 times, byte 255 3840 times
 *
 *     and one byte more: RILL_ERROR_ILLEGAL_ADDRESS
 *       the device failed: kernel 'histogram', line 20, thread (0,0,0) of block (4096,0,0): load …
 */
#include "must.h"

#include <string.h>

enum { BYTES = 1 << 20, BLOCK = 256, VALUES = 256 };

static const char text[] =
    ".version 7.0\n"
    ".target sm_70\n"
    ".address_size 64\n"
    ".visible .global .align 4 .u32 counts[256];\n"
    ".visible .entry histogram(.param .u64 bytes, .param .u32 count)\n"
    "{\n"
    "  .reg .pred %done;\n"
    "  .reg .b32 %i, %block, %size, %thread, %count, %value, %old;\n"
    "  .reg .b64 %p, %offset, %counts;\n"
    "  ld.param.u64 %p, [bytes];\n"
    "  ld.param.u32 %count, [count];\n"
    "  mov.u32 %block, %ctaid.x;\n"
    "  mov.u32 %size, %ntid.x;\n"
    "  mov.u32 %thread, %tid.x;\n"
    "  mad.lo.u32 %i, %block, %size, %thread;\n"
    "  setp.ge.u32 %done, %i, %count;\n"
    "  @%done ret;\n"
    "  cvt.u64.u32 %offset, %i;\n"
    "  add.u64 %p, %p, %offset;\n"
    "  ld.global.u8 %value, [%p];\n"
    "  mov.u64 %counts, counts;\n"
    "  mul.wide.u32 %offset, %value, 4;\n"
    "  add.u64 %counts, %counts, %offset;\n"
    "  atom.global.add.u32 %old, [%counts], 1;\n"
    "  ret;\n"
    "}\n";

static rill_status count(rill_stream *stream, rill_kernel *kernel, rill_devptr bytes,
                         uint32_t number)
{
    const void *arguments[] = { &bytes, &number };
    const rill_dim3 grid = { (number + BLOCK - 1) / BLOCK, 1, 1 }, block = { BLOCK, 1, 1 };
    rill_status status = rill_launch_kernel(stream, kernel, grid, block, 0, arguments);
    return status ? status : rill_stream_synchronize(stream);
}

static int check(rill_context *context, rill_module *module, const unsigned char *bytes)
{
    uint32_t wanted[VALUES] = { 0 }, got[VALUES];
    rill_devptr counts;
    size_t size;
    for (int i = 0; i < BYTES; i++) wanted[bytes[i]]++;
    MUST(rill_module_variable(module, "counts", &counts, &size));
    MUST(rill_memcpy_dtoh(context, got, counts, size));
    printf("byte 0 was seen %u times, byte 255 %u times\n", got[0], got[255]);
    return memcmp(wanted, got, sizeof got) != 0;
}

/* A thread for more bytes than there are. */
static int go_wrong(rill_stream *stream, rill_kernel *kernel, rill_devptr bytes)
{
    rill_status status = count(stream, kernel, bytes, BYTES + 1);
    printf("\nand one byte more: %s\n  %s\n", rill_error_name(status), rill_last_error()->message);
    return status != RILL_ERROR_ILLEGAL_ADDRESS;
}

int main(void)
{
    static unsigned char bytes[BYTES];
    rill_platform *platform = NULL;
    rill_context *context = NULL;
    rill_stream *stream = NULL;
    rill_module *module = NULL;
    rill_kernel *kernel = NULL;
    rill_devptr memory = 0;
    const rill_image image = { .size = sizeof image, .code = text };
    for (uint32_t i = 0; i < BYTES; i++) bytes[i] = (unsigned char)(i * i >> 9);

    MUST(rill_open(NULL, &platform));
    MUST(rill_context_create(platform, NULL, &context));
    MUST(rill_stream_create(context, NULL, &stream));
    MUST(rill_module_load(context, &image, &module));
    MUST(rill_module_kernel(module, "histogram", &kernel));
    MUST(rill_mem_alloc(context, BYTES, &memory));
    MUST(rill_memcpy_htod(context, memory, bytes, BYTES));
    MUST(count(stream, kernel, memory, BYTES));
    int wrong = check(context, module, bytes);

    const char *backend;
    MUST(rill_platform_backend(platform, &backend));
    if (!strcmp(backend, "sim")) wrong |= go_wrong(stream, kernel, memory);
    rill_module_unload(&module);
    rill_stream_destroy(&stream);
    rill_context_destroy(&context);
    rill_close(&platform);
    return wrong;
}
