// SPDX-License-Identifier: Apache-2.0
// References to textures and a surface, as programs had them before CUDA 12: bound to memory, from
// between two places where textures begin, to rows, to arrays, in namespaces, and read by parts.
#include "check.h"

const int width = 16, height = 8;

static texture<float, cudaTextureType1D, cudaReadModeElementType> line;
static texture<uchar4, cudaTextureType2D, cudaReadModeNormalizedFloat> colors;
texture<float, cudaTextureType2DLayered, cudaReadModeElementType> layers;
static surface<void, cudaSurfaceType2D> drawn;

namespace of_rows {
texture<float, cudaTextureType2D, cudaReadModeElementType> flat;
}

__global__ void fetch(float *out, int from)
{
    out[threadIdx.x] = tex1Dfetch(line, from + (int)threadIdx.x);
}

__global__ void look(float *out, float x, float y)
{
    out[threadIdx.y * width + threadIdx.x] = tex2D(of_rows::flat, threadIdx.x + x, threadIdx.y + y);
}

__global__ void look_at_colors(float *out)
{
    out[threadIdx.x] = tex2D(colors, (threadIdx.x + 0.5f) / width, 0.5f).x;
}

__global__ void look_at_layers(float *out)
{
    out[threadIdx.x] = tex2DLayered(layers, 1.5f, 0.5f, (int)threadIdx.x);
}

__global__ void draw()
{
    surf2Dwrite(100.0f + threadIdx.x, drawn, (int)(threadIdx.x * sizeof(float)), 2);
}

static float in[height][width], out[height][width];

static void bind_memory(float *memory, float *result)
{
    size_t offset = 1;
    OK(cudaBindTexture(&offset, line, memory, sizeof in));
    EXPECT(offset == 0);
    fetch<<<1, width>>>(result, 3);
    OK(cudaMemcpy(out, result, sizeof out[0], cudaMemcpyDeviceToHost));
    for (int x = 0; x < width; x++) EXPECT(out[0][x] == x + 3);
    OK(cudaBindTexture(&offset, line, memory + 5, 8 * sizeof *memory));
    EXPECT(offset == 5 * sizeof *memory);
    fetch<<<1, width>>>(result, (int)(offset / sizeof *memory));
    OK(cudaMemcpy(out, result, sizeof out[0], cudaMemcpyDeviceToHost));
    for (int x = 0; x < width; x++) EXPECT(out[0][x] == (x < 8 ? x + 5 : 0));
    OK(cudaUnbindTexture(line));
}

static void bind_rows(float *memory, float *result)
{
    size_t offset = 1;
    OK(cudaBindTexture2D(&offset, of_rows::flat, memory, width, height, sizeof in[0]));
    EXPECT(offset == 0);
    look<<<1, dim3(width, height)>>>(result, 0.5f, 0.5f);
    OK(cudaMemcpy(out, result, sizeof out, cudaMemcpyDeviceToHost));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) EXPECT(out[y][x] == in[y][x]);
}

static void bind_an_array(float *result)
{
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    OK(cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore));
    OK(cudaMemcpy2DToArray(array, 0, 0, in, sizeof in[0], sizeof in[0], height,
                           cudaMemcpyHostToDevice));
    OK(cudaBindSurfaceToArray(drawn, array));
    draw<<<1, width>>>();
    of_rows::flat.filterMode = cudaFilterModeLinear;
    OK(cudaBindTextureToArray(of_rows::flat, array));
    look<<<1, dim3(width, height)>>>(result, 1.0f, 0.5f);
    OK(cudaMemcpy(out, result, sizeof out, cudaMemcpyDeviceToHost));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float first = y == 2 ? 100 + x : in[y][x];
            EXPECT(out[y][x] == first + (x + 1 < width ? 0.5f : 0));
        }
    OK(cudaUnbindTexture(of_rows::flat));
    OK(cudaFreeArray(array));
}

static void bind_colors(float *result)
{
    static uchar4 bytes[height][width];
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    for (int x = 0; x < width; x++) bytes[4][x] = make_uchar4((unsigned char)(17 * x), 0, 0, 0);
    OK(cudaMallocArray(&array, &format, width, height));
    OK(cudaMemcpy2DToArray(array, 0, 0, bytes, sizeof bytes[0], sizeof bytes[0], height,
                           cudaMemcpyHostToDevice));
    colors.normalized = 1;
    OK(cudaBindTextureToArray(colors, array));
    look_at_colors<<<1, width>>>(result);
    OK(cudaMemcpy(out, result, sizeof out[0], cudaMemcpyDeviceToHost));
    for (int x = 0; x < width; x++) EXPECT(out[0][x] == 17.0f * x / 255);
    OK(cudaFreeArray(array));
}

static void bind_layers(float *result)
{
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMemcpy3DParms box = {};
    box.extent = make_cudaExtent(width, 1, height);
    box.srcPtr = make_cudaPitchedPtr(in, sizeof in[0], width, 1);
    box.kind = cudaMemcpyHostToDevice;
    OK(cudaMalloc3DArray(&array, &format, box.extent, cudaArrayLayered));
    box.dstArray = array;
    OK(cudaMemcpy3D(&box));
    OK(cudaBindTextureToArray(layers, array));
    look_at_layers<<<1, height>>>(result);
    OK(cudaMemcpy(out, result, sizeof out[0], cudaMemcpyDeviceToHost));
    for (int y = 0; y < height; y++) EXPECT(out[0][y] == in[y][1]);
    OK(cudaFreeArray(array));
}

int main()
{
    float *memory, *result;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) in[y][x] = (float)(width * y + x);
    OK(cudaMalloc(&memory, sizeof in));
    OK(cudaMalloc(&result, sizeof out));
    OK(cudaMemcpy(memory, in, sizeof in, cudaMemcpyHostToDevice));
    bind_memory(memory, result);
    bind_rows(memory, result);
    bind_an_array(result);
    bind_colors(result);
    bind_layers(result);
    std::printf("texture references\n");
}
