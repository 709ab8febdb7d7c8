// SPDX-License-Identifier: Apache-2.0
// What kernels find by references: as they are when they are bound, or when a kernel is launched.
#include "ask.h"

static texture<float, 1, cudaReadModeElementType> line;
static texture<int4, 1, cudaReadModeElementType> fours;
static texture<float, 2, cudaReadModeElementType> flat;
static texture<uchar4, 2, cudaReadModeNormalizedFloat> colors;
static texture<short, 1, cudaReadModeNormalizedFloat> shorts;
static texture<float, cudaTextureType2DLayered, cudaReadModeElementType> layers;
static texture<float, 3, cudaReadModeElementType> solid;
static surface<void, cudaSurfaceType2D> drawn;

enum { width = 8, height = 4, values = 8 };

static __global__ void fetch_line(float *out, int from)
{
    out[threadIdx.x] = tex1Dfetch(line, from + (int)threadIdx.x);
}

static __global__ void fetch_fours(float *out)
{
    int4 found = tex1Dfetch(fours, (int)threadIdx.x);
    out[threadIdx.x] = (float)(found.x + 10 * found.y + 100 * found.z + 1000 * found.w);
}

static __global__ void look_flat(float *out, float x, float y, float step)
{
    out[threadIdx.x] = tex2D(flat, x + step * threadIdx.x, y);
}

static __global__ void look_colors(float *out)
{
    float4 found = tex2D(colors, threadIdx.x + 0.5f, 0.5f);
    out[threadIdx.x] = found.x + 10 * found.y;
}

static __global__ void fetch_shorts(float *out)
{
    out[threadIdx.x] = tex1Dfetch(shorts, (int)threadIdx.x);
}

static __global__ void look_layers(float *out)
{
    out[threadIdx.x] = tex2DLayered(layers, 1.5f, 0.5f, (int)threadIdx.x);
}

static __global__ void look_solid(float *out)
{
    out[threadIdx.x] = tex3D(solid, 0.5f, 1.5f, threadIdx.x + 0.5f);
}

static __global__ void draw(float value)
{
    surf2Dwrite(value + threadIdx.x, drawn, (int)threadIdx.x * 4, 1);
}

static float *out;

static void tell_out(const char *what)
{
    float is[values] = {};
    cudaError_t status = cudaMemcpy(is, out, sizeof is, cudaMemcpyDeviceToHost);
    TELL("%s: %s: %g %g %g %g %g %g %g %g", what, cudaGetErrorName(status), is[0], is[1], is[2],
         is[3], is[4], is[5], is[6], is[7]);
    cudaGetLastError();
    cudaMemset(out, 0xff, sizeof is);
}

static float *numbers(size_t count)
{
    static float is[512];
    float *made;
    for (size_t i = 0; i < count; i++) is[i] = (float)i + 1;
    cudaMalloc(&made, count * sizeof *made);
    cudaMemcpy(made, is, count * sizeof *made, cudaMemcpyHostToDevice);
    return made;
}

static cudaArray_t array_of_numbers(unsigned flags)
{
    float is[height][width];
    cudaArray_t array;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) is[y][x] = 10.0f * y + x;
    cudaMallocArray(&array, &format, width, height, flags);
    cudaMemcpy2DToArray(array, 0, 0, is, sizeof is[0], sizeof is[0], height,
                        cudaMemcpyHostToDevice);
    return array;
}

static void ask_lines()
{
    size_t offset = 0;
    cudaMalloc(&out, values * sizeof *out);
    fetch_line<<<1, values>>>(out, 0);
    tell_out("before anything was bound");
    float *memory = numbers(256);
    ASK(cudaBindTexture(&offset, line, memory, 16));
    fetch_line<<<1, values>>>(out, 0);
    tell_out("four elements");
    fetch_line<<<1, values>>>(out, -2);
    tell_out("from -2");
    ASK(cudaBindTexture(&offset, line, memory + 5, 16));
    fetch_line<<<1, values>>>(out, (int)(offset / 4));
    tell_out("between two places");
    ASK(cudaBindTexture(&offset, line, memory));
    fetch_line<<<1, values>>>(out, 0);
    tell_out("without a size");
    fetch_line<<<1, values>>>(out, 252);
    tell_out("to the end");
    ASK(cudaBindTexture(&offset, fours, memory, 1024));
    fetch_fours<<<1, values>>>(out);
    tell_out("floats as integers of four");
    ASK(cudaBindTexture(&offset, shorts, memory, 1024));
    fetch_shorts<<<1, values>>>(out);
    tell_out("as parts of one");
    ASK(cudaBindTexture(&offset, line, memory, 1024));
    line.channelDesc = cudaCreateChannelDesc<int>();
    fetch_line<<<1, values>>>(out, 0);
    tell_out("of another format, not bound again");
    line.channelDesc = cudaCreateChannelDesc<float>();
    ASK(cudaUnbindTexture(line));
    fetch_line<<<1, values>>>(out, 0);
    tell_out("unbound");
    ASK(cudaFree(memory));
    ASK(cudaUnbindTexture(line));
}

static void look(const char *what, float x, float y, float step)
{
    look_flat<<<1, values>>>(out, x, y, step);
    tell_out(what);
}

static void ask_flat()
{
    cudaMalloc(&out, values * sizeof *out);
    cudaArray_t array = array_of_numbers(0);
    ASK(cudaBindTextureToArray(flat, array));
    look("points", 0.5f, 1.5f, 1);
    look("beyond", 4.5f, 9.5f, 1);
    flat.filterMode = cudaFilterModeLinear;
    look("linear, not bound again", 1.0f, 2.0f, 1);
    ASK(cudaBindTextureToArray(flat, array));
    look("linear", 1.0f, 2.0f, 1);
    flat.normalized = 1;
    look("normalized, not bound again", 0.25f, 0.5f, 0.125f);
    ASK(cudaBindTextureToArray(flat, array));
    look("normalized", 0.25f, 0.5f, 0.125f);
    flat.addressMode[0] = cudaAddressModeWrap;
    look("wrapped, not bound again", 0.75f, 0.5f, 0.25f);
    ASK(cudaBindTextureToArray(flat, array));
    look("wrapped", 0.75f, 0.5f, 0.25f);
    flat.addressMode[0] = cudaAddressModeMirror;
    ASK(cudaBindTextureToArray(flat, array));
    look("mirrored", 0.75f, 0.5f, 0.25f);
    flat.addressMode[0] = cudaAddressModeBorder;
    ASK(cudaBindTextureToArray(flat, array));
    look("with a border", 0.75f, 0.5f, 0.25f);
    flat.normalized = 0;
    flat.filterMode = cudaFilterModePoint;
    flat.addressMode[0] = cudaAddressModeWrap;
    ASK(cudaBindTextureToArray(flat, array));
    look("wrapped, not normalized", 4.5f, 0.5f, 1);
    flat.addressMode[0] = cudaAddressModeClamp;
    ASK(cudaBindTextureToArray(flat, array));
    flat.filterMode = cudaFilterModePoint;
    ASK(cudaBindTextureToArray(flat, array));
    flat.filterMode = cudaFilterModeLinear;
    look("linear, not bound again, after another", 1.0f, 2.0f, 1);
    flat.filterMode = cudaFilterModePoint;
    ASK(cudaUnbindTexture(flat));
    look("unbound", 0.5f, 1.5f, 1);
    float *memory = numbers(512);
    size_t offset = 77;
    ASK(cudaBindTexture2D(&offset, flat, memory, width, height, 128));
    look("rows", 0.5f, 1.5f, 1);
    ASK(cudaBindTexture2D(&offset, flat, memory + 3, width, height, 128));
    TELL("offset %zu", offset);
    look("rows from between", 0.5f, 1.5f, 1);
    flat.filterMode = cudaFilterModeLinear;
    ASK(cudaBindTexture2D(&offset, flat, memory, width, height, 128));
    look("linear rows", 1.0f, 2.0f, 1);
    ASK(cudaBindTextureToArray(flat, array));
    ASK(cudaFreeArray(array));
    ASK(cudaUnbindTexture(flat));
}

/* What a graph's kernel finds: as it was captured, or as it is launched. */
static void ask_graphs()
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaMalloc(&out, values * sizeof *out);
    cudaStreamCreate(&stream);
    cudaArray_t arrays[] = { array_of_numbers(0), array_of_numbers(0) };
    const float zeros[width] = {};
    cudaMemcpy2DToArray(arrays[1], 0, 1, zeros, sizeof zeros, sizeof zeros, 1,
                        cudaMemcpyHostToDevice);
    ASK(cudaBindTextureToArray(flat, arrays[0]));
    ASK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    look_flat<<<1, values, 0, stream>>>(out, 1.0f, 1.5f, 1);
    ASK(cudaStreamEndCapture(stream, &graph));
    ASK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    ASK(cudaGraphLaunch(exec, stream));
    ASK(cudaStreamSynchronize(stream));
    tell_out("as it was captured");
    flat.filterMode = cudaFilterModeLinear;
    ASK(cudaGraphLaunch(exec, stream));
    ASK(cudaStreamSynchronize(stream));
    tell_out("linear since");
    ASK(cudaBindTextureToArray(flat, arrays[1]));
    ASK(cudaGraphLaunch(exec, stream));
    ASK(cudaStreamSynchronize(stream));
    tell_out("another array since");
    ASK(cudaUnbindTexture(flat));
    ASK(cudaGraphLaunch(exec, stream));
    ASK(cudaStreamSynchronize(stream));
    tell_out("unbound since");
}

static void ask_colors()
{
    static uchar4 is[height][width];
    cudaArray_t array;
    cudaMalloc(&out, values * sizeof *out);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    for (int x = 0; x < width; x++) is[0][x] = make_uchar4(51 * (x % 6), 255, 0, 0);
    ASK(cudaMallocArray(&array, &format, width, height, 0));
    ASK(cudaMemcpyToArray(array, 0, 0, is, sizeof is, cudaMemcpyHostToDevice));
    ASK(cudaBindTextureToArray(colors, array));
    look_colors<<<1, values>>>(out);
    tell_out("parts of one");
    ASK(cudaBindTextureToArray(colors, array_of_numbers(0), cudaCreateChannelDesc<float>()));
    look_colors<<<1, values>>>(out);
    tell_out("of floats");
}

static void ask_solids()
{
    static float is[4][height][width];
    cudaArray_t layered, depth;
    cudaMalloc(&out, values * sizeof *out);
    const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    const cudaExtent extent = make_cudaExtent(width, height, 4);
    for (int z = 0; z < 4; z++)
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) is[z][y][x] = 100.0f * z + 10 * y + x;
    cudaMemcpy3DParms box = {};
    box.srcPtr = make_cudaPitchedPtr(is, sizeof is[0][0], width, height);
    box.extent = extent;
    box.kind = cudaMemcpyHostToDevice;
    ASK(cudaMalloc3DArray(&layered, &format, extent, cudaArrayLayered));
    box.dstArray = layered;
    ASK(cudaMemcpy3D(&box));
    ASK(cudaMalloc3DArray(&depth, &format, extent, 0));
    box.dstArray = depth;
    ASK(cudaMemcpy3D(&box));
    ASK(cudaBindTextureToArray(layers, layered));
    look_layers<<<1, values>>>(out);
    tell_out("layers");
    ASK(cudaBindTextureToArray(solid, depth));
    look_solid<<<1, values>>>(out);
    tell_out("depth");
    ASK(cudaBindTextureToArray(layers, depth, format));
    look_layers<<<1, values>>>(out);
    tell_out("depth as layers");
}

static void ask_surfaces()
{
    float is[height][width];
    cudaMalloc(&out, values * sizeof *out);
    cudaArray_t array = array_of_numbers(cudaArraySurfaceLoadStore);
    ASK(cudaBindSurfaceToArray(drawn, array));
    draw<<<1, values>>>(500);
    ASK(cudaDeviceSynchronize());
    ASK(cudaMemcpy2DFromArray(is, sizeof is[0], array, 0, 0, sizeof is[0], height,
                              cudaMemcpyDeviceToHost));
    TELL("%g %g %g %g", is[0][0], is[1][0], is[1][7], is[2][0]);
    ASK(cudaBindTextureToArray(flat, array));
    look("by a texture", 0.5f, 1.5f, 1);
    ASK(cudaDeviceReset());
    cudaMalloc(&out, values * sizeof *out);
    look("after a reset", 0.5f, 1.5f, 1);
    ASK(cudaBindTextureToArray(flat, array_of_numbers(0)));
    look("and bound again", 0.5f, 1.5f, 1);
}

static void ask_writing_unbound()
{
    draw<<<1, values>>>(500);
    ASK(cudaGetLastError());
    ASK(cudaDeviceSynchronize());
}

const group lookup_groups[] = {
    { "lines", ask_lines },       { "flat", ask_flat },
    { "colors", ask_colors },     { "solids", ask_solids },
    { "lookups of graphs", ask_graphs },
    { "surfaces", ask_surfaces }, { "writing unbound", ask_writing_unbound },
    { nullptr, nullptr },
};
