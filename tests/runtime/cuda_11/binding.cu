// SPDX-License-Identifier: Apache-2.0
// What binds and unbinds references of textures and surfaces, and what each refuses.
#include "ask.h"

static texture<float, 1, cudaReadModeElementType> line;
static texture<float, 2, cudaReadModeElementType> flat;
static texture<uchar4, 2, cudaReadModeNormalizedFloat> colors;
static texture<float, cudaTextureType2DLayered, cudaReadModeElementType> layers;
static surface<void, cudaSurfaceType2D> drawn;

static __global__ void read_all(float *out)
{
    out[0] = tex1Dfetch(line, 0) + tex2D(flat, 0, 0) + tex2D(colors, 0, 0).x +
             tex2DLayered(layers, 0, 0, 0);
    surf2Dwrite(1.0f, drawn, 0, 0);
}

static const cudaChannelFormatDesc one_float = { 32, 0, 0, 0, cudaChannelFormatKindFloat };
static const cudaChannelFormatDesc one_int = { 32, 0, 0, 0, cudaChannelFormatKindSigned };
static const cudaChannelFormatDesc no_format = { 32, 16, 0, 0, cudaChannelFormatKindFloat };

static void ask_references()
{
    const textureReference *found = nullptr;
    const surfaceReference *surface = nullptr;
    textureReference unregistered = line;
    size_t offset = 77;
    ASK(cudaGetTextureReference(&found, &line));
    TELL("%s", found == &line ? "the variable" : "something else");
    TELL("normalized %d, filter %d, address %d %d %d, format %d %d %d %d %d", line.normalized,
         line.filterMode, line.addressMode[0], line.addressMode[1], line.addressMode[2],
         line.channelDesc.x, line.channelDesc.y, line.channelDesc.z, line.channelDesc.w,
         line.channelDesc.f);
    ASK(cudaGetTextureReference(&found, &unregistered));
    ASK(cudaGetTextureReference(&found, nullptr));
    ASK(cudaGetSurfaceReference(&surface, &unregistered));
    ASK(cudaGetTextureReference(nullptr, &line));
    ASK(cudaGetTextureReference(&found, &drawn));
    ASK(cudaGetSurfaceReference(&surface, &drawn));
    TELL("%s", surface == &drawn ? "the variable" : "something else");
    ASK(cudaGetSurfaceReference(&surface, &line));
    ASK(cudaGetSurfaceReference(&surface, nullptr));
    ASK(cudaGetTextureAlignmentOffset(&offset, &line));
    TELL("offset %zu", offset);
    ASK(cudaGetTextureAlignmentOffset(&offset, &unregistered));
    ASK(cudaGetTextureAlignmentOffset(nullptr, &line));
    ASK(cudaGetTextureAlignmentOffset(&offset, (const textureReference *)nullptr));
    ASK(cudaUnbindTexture(&line));
    ASK(cudaUnbindTexture(&unregistered));
    ASK(cudaUnbindTexture((const textureReference *)nullptr));
}

static void ask_memory()
{
    char *memory, local[64];
    size_t offset = 77;
    textureReference unregistered = line;
    ASK(cudaMalloc(&memory, 65536));
    ASK(cudaBindTexture(&offset, &line, memory, &one_float, 4096));
    TELL("offset %zu", offset);
    ASK(cudaBindTexture(nullptr, &line, memory, &one_float, 4096));
    ASK(cudaBindTexture(&offset, &line, memory + 4, &one_float, 4096));
    TELL("offset %zu", offset);
    ASK(cudaGetTextureAlignmentOffset(&offset, &line));
    TELL("offset %zu", offset);
    ASK(cudaBindTexture(nullptr, &line, memory + 4, &one_float, 4096));
    ASK(cudaBindTexture(nullptr, &line, memory + 512, &one_float, 4096));
    ASK(cudaBindTexture(&offset, &line, memory, &one_float, 0));
    ASK(cudaBindTexture(&offset, &line, memory, &one_float, 131072));
    ASK(cudaBindTexture(&offset, &line, memory, &one_float, UINT_MAX));
    ASK(cudaBindTexture(&offset, &line, memory, &one_float, (size_t)1 << 40));
    ASK(cudaBindTexture(&offset, &line, memory, &one_int, 4096));
    ASK(cudaBindTexture(&offset, &line, memory, &no_format, 4096));
    ASK(cudaBindTexture(&offset, &line, memory, nullptr, 4096));
    ASK(cudaBindTexture(&offset, &line, nullptr, &one_float, 4096));
    ASK(cudaBindTexture(&offset, &line, local, &one_float, sizeof local));
    ASK(cudaBindTexture(&offset, &unregistered, memory, &one_float, 4096));
    ASK(cudaBindTexture(&offset, (const textureReference *)nullptr, memory, &one_float, 4096));
    ASK(cudaBindTexture(&offset, &flat, memory, &one_float, 4096));
    ASK(cudaUnbindTexture(&line));
    ASK(cudaGetTextureAlignmentOffset(&offset, &line));
}

static void ask_rows()
{
    char *memory;
    size_t offset = 77;
    ASK(cudaMalloc(&memory, 65536));
    ASK(cudaBindTexture2D(&offset, &flat, memory, &one_float, 16, 16, 512));
    TELL("offset %zu", offset);
    ASK(cudaBindTexture2D(nullptr, &flat, memory, &one_float, 16, 16, 512));
    ASK(cudaBindTexture2D(&offset, &flat, memory + 4, &one_float, 16, 16, 512));
    TELL("offset %zu", offset);
    ASK(cudaBindTexture2D(nullptr, &flat, memory + 4, &one_float, 16, 16, 512));
    ASK(cudaBindTexture2D(&offset, &flat, memory + 512, &one_float, 16, 16, 512));
    ASK(cudaBindTexture2D(&offset, &flat, memory, &one_float, 16, 16, 48));
    ASK(cudaBindTexture2D(&offset, &flat, memory, &one_float, 16, 16, 33));
    ASK(cudaBindTexture2D(&offset, &flat, memory, &one_float, 16, 16, 32));
    ASK(cudaBindTexture2D(&offset, &flat, memory, &one_float, 0, 16, 512));
    ASK(cudaBindTexture2D(&offset, &flat, memory, &one_float, 16, 0, 512));
    ASK(cudaBindTexture2D(&offset, &flat, memory, &one_float, 1 << 20, 1, 1 << 22));
    ASK(cudaBindTexture2D(&offset, &flat, memory, &one_int, 16, 16, 512));
    ASK(cudaBindTexture2D(&offset, &flat, memory, nullptr, 16, 16, 512));
    ASK(cudaBindTexture2D(&offset, &flat, nullptr, &one_float, 16, 16, 512));
    ASK(cudaBindTexture2D(&offset, &line, memory, &one_float, 16, 16, 512));
    ASK(cudaGetTextureAlignmentOffset(&offset, &flat));
    TELL("offset %zu", offset);
}

static void ask_arrays()
{
    cudaArray_t array, other, stored, layered;
    cudaMipmappedArray_t mipmap;
    size_t offset = 77;
    textureReference unregistered = line;
    const cudaChannelFormatDesc bytes = cudaCreateChannelDesc<uchar4>();
    ASK(cudaMallocArray(&array, &one_float, 16, 16, 0));
    ASK(cudaMallocArray(&other, &one_int, 16, 16, 0));
    ASK(cudaMallocArray(&stored, &one_float, 16, 16, cudaArraySurfaceLoadStore));
    ASK(cudaMalloc3DArray(&layered, &one_float, make_cudaExtent(16, 16, 3), cudaArrayLayered));
    ASK(cudaMallocMipmappedArray(&mipmap, &one_float, make_cudaExtent(16, 16, 0), 3, 0));
    ASK(cudaBindTextureToArray(&flat, array, &one_float));
    ASK(cudaGetTextureAlignmentOffset(&offset, &flat));
    TELL("offset %zu", offset);
    ASK(cudaBindTextureToArray(&flat, array, &one_int));
    ASK(cudaBindTextureToArray(&flat, array, nullptr));
    ASK(cudaBindTextureToArray(&flat, other, &one_int));
    ASK(cudaBindTextureToArray(&flat, other, &one_float));
    flat.channelDesc = one_int;
    ASK(cudaBindTextureToArray(&flat, other, &one_int));
    ASK(cudaBindTextureToArray(&flat, array, &one_float));
    flat.channelDesc = one_float;
    ASK(cudaBindTextureToArray(&flat, nullptr, &one_float));
    ASK(cudaBindTextureToArray(&unregistered, array, &one_float));
    ASK(cudaBindTextureToArray((const textureReference *)nullptr, array, &one_float));
    ASK(cudaBindTextureToArray(&colors, array, &bytes));
    ASK(cudaBindTextureToArray(&line, array, &one_float));
    ASK(cudaBindTextureToArray(&layers, array, &one_float));
    ASK(cudaBindTextureToArray(&layers, layered, &one_float));
    ASK(cudaBindTextureToArray(&flat, layered, &one_float));
    ASK(cudaBindTextureToMipmappedArray(&flat, mipmap, &one_float));
    ASK(cudaBindTextureToMipmappedArray(&flat, nullptr, &one_float));
    ASK(cudaBindTextureToMipmappedArray(&flat, mipmap, &one_int));
    ASK(cudaBindSurfaceToArray(&drawn, stored, &one_float));
    ASK(cudaBindSurfaceToArray(&drawn, array, &one_float));
    ASK(cudaBindSurfaceToArray(&drawn, nullptr, &one_float));
    ASK(cudaBindSurfaceToArray(&drawn, stored, &one_int));
    ASK(cudaBindSurfaceToArray(&drawn, stored, nullptr));
    ASK(cudaBindSurfaceToArray((const surfaceReference *)nullptr, stored, &one_float));
    flat.filterMode = cudaFilterModeLinear;
    ASK(cudaBindTextureToArray(&flat, other, &one_int));
    ASK(cudaBindTextureToArray(&flat, array, &one_float));
    flat.filterMode = (cudaTextureFilterMode)7;
    ASK(cudaBindTextureToArray(&flat, array, &one_float));
    flat.filterMode = cudaFilterModePoint;
    flat.addressMode[0] = (cudaTextureAddressMode)9;
    ASK(cudaBindTextureToArray(&flat, array, &one_float));
    flat.addressMode[0] = cudaAddressModeWrap;
    ASK(cudaBindTextureToArray(&flat, array, &one_float));
    flat.addressMode[0] = cudaAddressModeClamp;
    flat.normalized = 1;
    ASK(cudaBindTextureToArray(&flat, array, &one_float));
    flat.maxAnisotropy = 99;
    ASK(cudaBindTextureToArray(&flat, array, &one_float));
    float *out;
    ASK(cudaMalloc(&out, 4));
    read_all<<<1, 1>>>(out);
    ASK(cudaGetLastError());
    ASK(cudaDeviceSynchronize());
    ASK(cudaFreeArray(array));
    ASK(cudaUnbindTexture(&flat));
    ASK(cudaDeviceReset());
    ASK(cudaUnbindTexture(&flat));
    ASK(cudaGetTextureAlignmentOffset(&offset, &flat));
}

const group bind_groups[] = {
    { "references", ask_references }, { "memory of textures", ask_memory },
    { "rows", ask_rows },             { "arrays", ask_arrays },
    { nullptr, nullptr },
};
