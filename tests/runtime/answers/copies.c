/* SPDX-License-Identifier: Apache-2.0 */
#include "answers.h"

static int local[256];
static char *memory;

#define KIND(number) ((enum cudaMemcpyKind)(number))
static const enum cudaMemcpyKind to_device = cudaMemcpyHostToDevice,
                                 to_host = cudaMemcpyDeviceToHost;

static void ask_copies(void)
{
    cudaMalloc((void **)&memory, 1000);
    ASK(cudaMemcpy(memory, local, 100, KIND(7)));
    ASK(cudaMemcpy(memory, local, 100, KIND(-1)));
    ASK(cudaMemcpy(memory, local, 100, to_host));
    ASK(cudaMemcpy(memory, local, 100, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpy(memory, local, 100, cudaMemcpyHostToHost));
    ASK(cudaMemcpy(local, memory, 100, to_device));
    ASK(cudaMemcpy(memory, local, 100, cudaMemcpyDefault));
    ASK(cudaMemcpy(memory, local, 2000, to_device));
    ASK(cudaMemcpy(NULL, local, 10, to_device));
    ASK(cudaMemcpy(memory, NULL, 10, to_device));
    ASK(cudaMemcpy(NULL, local, 0, to_device));
    ASK(cudaMemcpy(memory, local, 0, KIND(9)));
    ASK(cudaMemcpy(local, local + 32, 16, cudaMemcpyDefault));
    ASK(cudaMemcpy(local, local + 32, 16, cudaMemcpyHostToHost));
    ASK(cudaMemcpy(local, local + 32, 16, to_device));
    ASK(cudaMemcpy(memory, memory + 100, 16, to_device));
    ASK(cudaMemcpy(memory, memory + 8, 16, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpyAsync(memory, local, 100, KIND(7), 0));
    ASK(cudaMemcpyAsync(memory, local, 0, KIND(7), 0));
    ASK(cudaMemcpyAsync(memory, local, 100, to_host, 0));
    ASK(cudaMemcpyAsync(memory, local, 2000, to_device, 0));
    ASK(cudaMemcpyAsync(NULL, NULL, 0, to_device, cudaStreamPerThread));
    ASK(cudaDeviceSynchronize());
}

static void ask_rows(void)
{
    cudaMalloc((void **)&memory, 1000);
    ASK(cudaMemcpy2D(memory, 10, local, 10, 11, 2, to_device));
    ASK(cudaMemcpy2D(memory, 10, local, 10, 11, 1, to_device));
    ASK(cudaMemcpy2D(memory, 10, local, 20, 11, 2, to_device));
    ASK(cudaMemcpy2D(memory, 10, local, 10, 10, 0, to_device));
    ASK(cudaMemcpy2D(memory, 10, local, 10, 0, 2, to_device));
    ASK(cudaMemcpy2D(memory, 10, local, 10, 11, 0, to_device));
    ASK(cudaMemcpy2D(memory, 10, local, 10, 0, 2, KIND(8)));
    ASK(cudaMemcpy2D(memory, 10, local, 10, 10, 2, KIND(8)));
    ASK(cudaMemcpy2D(memory, (size_t)1 << 40, local, 10, 10, 2, to_device));
    ASK(cudaMemcpy2D(memory, 100, local, 10, 10, 100, to_device));
    ASK(cudaMemcpy2D(memory, 10, local, 10, 10, 2, to_host));
    ASK(cudaMemcpy2D(memory, 10, local, 10, 10, 2, cudaMemcpyDefault));
    ASK(cudaMemcpy2D(NULL, 10, local, 10, 10, 2, to_device));
    ASK(cudaMemcpy2DAsync(memory, 10, local, 10, 11, 2, to_device, 0));
    ASK(cudaMemcpy2DAsync(memory, 10, local, 10, 10, 2, to_device, cudaStreamLegacy));
}

static void ask_boxes(void)
{
    struct cudaMemcpy3DParms box = { .kind = cudaMemcpyHostToHost };
    cudaMalloc((void **)&memory, 1000);
    ASK(cudaMemcpy3D(&box));
    ASK(cudaMemcpy3D(NULL));
    box = (struct cudaMemcpy3DParms){ .srcPtr = { local, 16, 16, 2 },
                                      .dstPtr = { memory, 16, 16, 2 },
                                      .extent = { 16, 2, 2 },
                                      .kind = cudaMemcpyHostToDevice };
    ASK(cudaMemcpy3D(&box));
    box.extent.width = 17;
    ASK(cudaMemcpy3D(&box));
    box.extent = (struct cudaExtent){ 16, 3, 2 };
    ASK(cudaMemcpy3D(&box));
    box.extent = (struct cudaExtent){ 16, 0, 2 };
    ASK(cudaMemcpy3D(&box));
    box.extent = (struct cudaExtent){ 16, 2, 1 };
    box.srcPos.x = 1;
    ASK(cudaMemcpy3D(&box));
    box.srcPos.x = 0;
    box.srcPos.y = 1;
    ASK(cudaMemcpy3D(&box));
    box.srcPos.y = 0;
    box.kind = KIND(9);
    ASK(cudaMemcpy3D(&box));
    box.kind = cudaMemcpyDeviceToHost;
    ASK(cudaMemcpy3D(&box));
    box.kind = cudaMemcpyDefault;
    ASK(cudaMemcpy3D(&box));
    ASK(cudaMemcpy3DAsync(&box, 0));
    box.dstPtr.ptr = NULL;
    ASK(cudaMemcpy3D(&box));
}

#define BOX(pitch, xsize, ysize) ((struct cudaPitchedPtr){ memory, pitch, xsize, ysize })
#define EXTENT(width, height, depth) ((struct cudaExtent){ width, height, depth })

static void ask_fills(void)
{
    cudaMalloc((void **)&memory, 1000);
    ASK(cudaMemset(memory, 1, 100));
    ASK(cudaMemset(NULL, 1, 100));
    ASK(cudaMemset(NULL, 1, 0));
    ASK(cudaMemset(memory, 1, 2000));
    ASK(cudaMemset(local, 1, 16));
    ASK(cudaMemset(memory, 0x1234, 16));
    ASK(cudaMemset2D(memory, 10, 1, 11, 2));
    ASK(cudaMemset2D(memory, 10, 1, 11, 1));
    ASK(cudaMemset2D(memory, 10, 1, 10, 2));
    ASK(cudaMemset2D(memory, 10, 1, 0, 2));
    ASK(cudaMemset2D(memory, 10, 1, 10, 0));
    ASK(cudaMemset3D(BOX(16, 16, 2), 1, EXTENT(16, 2, 2)));
    ASK(cudaMemset3D(BOX(16, 16, 4), 1, EXTENT(16, 2, 2)));
    ASK(cudaMemset3D(BOX(16, 16, 2), 1, EXTENT(16, 3, 2)));
    ASK(cudaMemset3D(BOX(16, 16, 2), 1, EXTENT(17, 2, 2)));
    ASK(cudaMemset3D(BOX(16, 16, 2), 1, EXTENT(16, 0, 2)));
    ASK(cudaMemsetAsync(memory, 1, 100, 0));
    ASK(cudaMemsetAsync(memory, 1, 0, 0));
    ASK(cudaMemset2DAsync(memory, 10, 1, 10, 2, cudaStreamPerThread));
    ASK(cudaMemset3DAsync(BOX(16, 16, 2), 1, EXTENT(16, 2, 2), 0));
    ASK(cudaDeviceSynchronize());
}

const struct group copy_groups[] = {
    { "copies", ask_copies }, { "rows", ask_rows }, { "boxes", ask_boxes },
    { "fills", ask_fills },   { NULL, NULL },
};
