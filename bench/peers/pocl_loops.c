/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels of rill-loops through POCL, which compiles them with LLVM inside the process, on one
 * thread.
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdint.h>
#include <string.h>

#include "../kernels/loops_peer.h"
#include "scratch.h"

enum { PLATFORMS = 8, KERNELS = 16, TEXT = 1 << 14 };

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_kernel kernels[KERNELS];
static char names[KERNELS][32];
static cl_uint kernel_count;
static cl_mem x, y, bytes, out;

static void must(cl_int status, const char *call)
{
    if (status == CL_SUCCESS) return;
    fprintf(stderr, "POCL: %s: status %d\n", call, (int)status);
    exit(EXIT_FAILURE);
}

#define MUST(call) must(call, #call)

static bool find_device(cl_device_id *device)
{
    cl_platform_id platforms[PLATFORMS];
    cl_uint count = 0;
    if (clGetPlatformIDs(PLATFORMS, platforms, &count)) return false;
    for (cl_uint i = 0; i < count && i < PLATFORMS; i++) {
        char name[256] = "";
        clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof name, name, NULL);
        if (!strcmp(name, "Portable Computing Language") &&
            clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, device, NULL) == CL_SUCCESS)
            return true;
    }
    return false;
}

static void build(cl_device_id device)
{
    static char text[TEXT];
    const char *start = text;
    cl_int status;
    FILE *file = fopen(LOOPS_CL, "rb");
    if (!file || !fread(text, 1, TEXT - 1, file)) {
        perror(LOOPS_CL);
        exit(EXIT_FAILURE);
    }
    fclose(file);
    program = clCreateProgramWithSource(context, 1, &start, NULL, &status);
    must(status, "clCreateProgramWithSource");
    MUST(clBuildProgram(program, 1, &device, "", NULL, NULL));
    MUST(clCreateKernelsInProgram(program, KERNELS, kernels, &kernel_count));
    for (cl_uint i = 0; i < kernel_count; i++)
        MUST(clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof names[i], names[i], NULL));
}

static cl_mem make_buffer(size_t size, const void *from)
{
    cl_int status;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, &status);
    must(status, "clCreateBuffer");
    if (from) MUST(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, size, from, 0, NULL, NULL));
    return buffer;
}

static bool open_loops(const struct loops_data *data)
{
    cl_device_id device;
    cl_int status;
    setenv("POCL_MAX_PTHREAD_COUNT", "1", 1);
    enter_scratch("POCL_CACHE_DIR");
    if (!find_device(&device)) {
        leave_scratch();
        return false;
    }
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    must(status, "clCreateContext");
    queue = clCreateCommandQueue(context, device, 0, &status);
    must(status, "clCreateCommandQueue");
    build(device);
    x = make_buffer(data->count * sizeof(float), data->x);
    y = make_buffer(data->count * sizeof(float), data->y);
    bytes = make_buffer(data->count, data->bytes);
    out = make_buffer(data->count * sizeof(float), NULL);
    return true;
}

static void close_loops(void)
{
    const cl_mem buffers[] = { x, y, bytes, out };
    for (unsigned i = 0; i < 4; i++) clReleaseMemObject(buffers[i]);
    for (cl_uint i = 0; i < kernel_count; i++) clReleaseKernel(kernels[i]);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    leave_scratch();
}

static cl_kernel find(const char *name)
{
    for (cl_uint i = 0; i < kernel_count; i++)
        if (!strcmp(names[i], name)) return kernels[i];
    return NULL;
}

static bool has(const char *kernel)
{
    return find(kernel) != NULL;
}

static void run(const char *name, const char *params, int n, const size_t blocks[2],
                const size_t threads[2])
{
    static const float factor = 2;
    const cl_kernel kernel = find(name);
    const size_t all[] = { blocks[0] * threads[0], blocks[1] * threads[1] };
    for (cl_uint i = 0; params[i]; i++)
        switch (params[i]) {
        case 'n': MUST(clSetKernelArg(kernel, i, sizeof n, &n)); break;
        case 'f': MUST(clSetKernelArg(kernel, i, sizeof factor, &factor)); break;
        case 'x': MUST(clSetKernelArg(kernel, i, sizeof x, &x)); break;
        case 'y': MUST(clSetKernelArg(kernel, i, sizeof y, &y)); break;
        case 'b': MUST(clSetKernelArg(kernel, i, sizeof bytes, &bytes)); break;
        default: MUST(clSetKernelArg(kernel, i, sizeof out, &out)); break;
        }
    MUST(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, all, threads, 0, NULL, NULL));
    MUST(clFinish(queue));
}

const struct loops_peer loops_peer = {
    .open = open_loops, .close = close_loops, .has = has, .run = run,
};
