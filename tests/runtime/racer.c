/* SPDX-License-Identifier: Apache-2.0
 *
 * A program of the runtime with a race, for sites.sh; with `fail`, one whose copy is too long, and
 * with `hang`, one that waits for itself.
 */
#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *memory;
static cudaStream_t streams[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void copy_first(const char *bytes)
{
    if (cudaMemcpyAsync(memory, bytes, 64, cudaMemcpyHostToDevice, streams[0])) exit(1);
}

static void fill_at_once(void)
{
    if (cudaMemsetAsync(memory, 0, 64, streams[1])) exit(1);
}

static int copy_too_much(void)
{
    static const char bytes[128];
    return !cudaMemcpyAsync(memory, bytes, sizeof bytes, cudaMemcpyHostToDevice, streams[0]);
}

static void take_mutex(void *data)
{
    (void)data;
    pthread_mutex_lock(&mutex);
}

static int wait_for_ourselves(void)
{
    pthread_mutex_lock(&mutex);
    if (cudaLaunchHostFunc(streams[0], take_mutex, NULL)) return 1;
    return cudaStreamSynchronize(streams[0]) != cudaSuccess;
}

int main(int count, char **words)
{
    static const char bytes[64];
    const char *what = count > 1 ? words[1] : "";
    for (int i = 0; i < 2; i++)
        if (cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking)) return 1;
    if (cudaMalloc(&memory, 64)) return 1;
    if (!strcmp(what, "fail")) return copy_too_much();
    if (!strcmp(what, "hang")) return wait_for_ourselves();
    copy_first(bytes);
    fill_at_once();
    return cudaDeviceSynchronize() || cudaFree(memory);
}
