/* SPDX-License-Identifier: Apache-2.0
 *
 * A queue of POCL is an in-order command queue of OpenCL, its operations are native
 * kernels: calls of functions of this process.
 */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"
#include "scratch.h"

#define PLATFORMS 16

static cl_device_id device;
static cl_context context;

static void must(cl_int status, const char *call)
{
    if (status == CL_SUCCESS) return;
    fprintf(stderr, "POCL: %s: status %d\n", call, (int)status);
    exit(EXIT_FAILURE);
}

#define MUST(call) must(call, #call)

static bool is_pocl(cl_platform_id platform)
{
    char name[256] = "";
    return clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL) == CL_SUCCESS &&
           strcmp(name, "Portable Computing Language") == 0;
}

static bool runs_native(cl_device_id candidate)
{
    cl_device_exec_capabilities can = 0;
    return clGetDeviceInfo(candidate, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof can, &can, NULL) ==
               CL_SUCCESS && (can & CL_EXEC_NATIVE_KERNEL);
}

static bool find_device(void)
{
    cl_platform_id platforms[PLATFORMS];
    cl_uint count = 0;
    if (clGetPlatformIDs(PLATFORMS, platforms, &count)) return false;
    for (cl_uint i = 0; i < count && i < PLATFORMS; i++)
        if (is_pocl(platforms[i]) &&
            clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_CPU, 1, &device, NULL) == CL_SUCCESS &&
            runs_native(device))
            return true;
    return false;
}

static const char *open_pocl(void)
{
    static char version[96];
    char driver[64] = "";
    cl_int status;
    enter_scratch("POCL_CACHE_DIR");
    if (!find_device()) {
        leave_scratch();
        return NULL;
    }
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    must(status, "clCreateContext");
    MUST(clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof driver, driver, NULL));
    snprintf(version, sizeof version, "POCL %s", driver);
    return version;
}

static void close_pocl(void)
{
    MUST(clReleaseContext(context));
    leave_scratch();
}

static void *make(void)
{
    cl_int status;
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    must(status, "clCreateCommandQueue");
    return queue;
}

static void unmake(void *queue)
{
    MUST(clReleaseCommandQueue(queue));
}

struct call {
    void (*fn)(void *data);
    void *data;
};

static void CL_CALLBACK native(void *data)
{
    const struct call *call = data;
    call->fn(call->data);
}

static void put(void *queue, void (*fn)(void *), void *data, cl_event after, cl_event *done)
{
    struct call call = { fn, data };
    MUST(clEnqueueNativeKernel(queue, native, &call, sizeof call, 0, NULL, NULL, after ? 1 : 0,
                               after ? &after : NULL, done));
}

static void op(void *queue, void (*fn)(void *), void *data)
{
    put(queue, fn, data, NULL, NULL);
}

static void wait_for(void *queue)
{
    MUST(clFinish(queue));
}

/* All are submitted ahead, each with the event of the one before. */
static void hops(void *a, void *b, int count, void (*fn)(void *), void *data)
{
    cl_event before = NULL, done;
    for (int i = 0; i < count; i++) {
        put(i % 2 ? b : a, fn, data, before, &done);
        if (before) MUST(clReleaseEvent(before));
        before = done;
    }
    MUST(clFlush(a));
    MUST(clFlush(b));
    wait_for(a);
    wait_for(b);
    if (before) MUST(clReleaseEvent(before));
}

const struct queues peer_queues = {
    .open = open_pocl, .close = close_pocl, .make = make, .unmake = unmake, .op = op,
    .wait = wait_for, .hops = hops,
};
