// SPDX-License-Identifier: Apache-2.0
// Arrays, textures of arrays, of memory and of levels, and a surface that a kernel writes.
#include "check.h"

const int width = 16, height = 8;

__global__ void sample(cudaTextureObject_t flat, cudaTextureObject_t line, float *out)
{
    int x = threadIdx.x, y = threadIdx.y, at = y * width + x;
    out[at] = tex2D<float>(flat, x + 1.0f, y + 0.5f) + 1000 * tex1Dfetch<float>(line, at);
}

__global__ void scale(cudaTextureObject_t from, cudaSurfaceObject_t to)
{
    int x = threadIdx.x, y = threadIdx.y;
    float4 is = tex2D<float4>(from, (x + 0.5f) / width, (y + 0.5f) / height);
    uchar4 out = make_uchar4((unsigned char)(is.x * 255), (unsigned char)(is.y * 255), 7, 9);
    surf2Dwrite(out, to, x * (int)sizeof out, y);
}

__global__ void sample_levels(cudaTextureObject_t texture, float *out)
{
    out[threadIdx.x] = tex2DLod<float>(texture, 0.5f, 0.5f, threadIdx.x);
}

static cudaTextureObject_t texture_of(const cudaResourceDesc &resource, cudaTextureReadMode read,
                                      cudaTextureFilterMode filter, int normalized)
{
    cudaTextureDesc how = {};
    cudaTextureObject_t made;
    how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
    how.filterMode = filter;
    how.readMode = read;
    how.normalizedCoords = normalized;
    OK(cudaCreateTextureObject(&made, &resource, &how, nullptr));
    return made;
}

static cudaResourceDesc of_array(cudaArray_t array)
{
    cudaResourceDesc made = {};
    made.resType = cudaResourceTypeArray;
    made.res.array.array = array;
    return made;
}

static void look_at_floats()
{
    static float in[height][width], out[height][width];
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) in[y][x] = 16.0f * y + x;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaArray_t array;
    float *line, *result;
    OK(cudaMallocArray(&array, &format, width, height));
    OK(cudaMemcpy2DToArray(array, 0, 0, in, sizeof in[0], sizeof in[0], height,
                           cudaMemcpyHostToDevice));
    OK(cudaMalloc(&line, sizeof in));
    OK(cudaMalloc(&result, sizeof out));
    OK(cudaMemcpy(line, in, sizeof in, cudaMemcpyHostToDevice));
    cudaResourceDesc memory = {};
    memory.resType = cudaResourceTypeLinear;
    memory.res.linear.devPtr = line;
    memory.res.linear.desc = format;
    memory.res.linear.sizeInBytes = sizeof in;
    cudaTextureObject_t one = texture_of(of_array(array), cudaReadModeElementType,
                                         cudaFilterModeLinear, 0);
    cudaTextureObject_t two = texture_of(memory, cudaReadModeElementType, cudaFilterModePoint, 0);
    sample<<<1, dim3(width, height)>>>(one, two, result);
    OK(cudaMemcpy(out, result, sizeof out, cudaMemcpyDeviceToHost));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float between = in[y][x] + (x + 1 < width ? 0.5f : 0);
            EXPECT(out[y][x] == between + 1000 * in[y][x]);
        }
    OK(cudaDestroyTextureObject(one));
    OK(cudaDestroyTextureObject(two));
    OK(cudaFreeArray(array));
}

static void write_a_surface()
{
    static uchar4 in[height][width], out[height][width];
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            in[y][x] = make_uchar4((unsigned char)(16 * x), (unsigned char)(32 * y), 1, 2);
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>(), told;
    cudaArray_t from, to;
    cudaExtent extent;
    unsigned flags;
    OK(cudaMallocArray(&from, &format, width, height));
    OK(cudaMalloc3DArray(&to, &format, make_cudaExtent(width, height, 0),
                         cudaArraySurfaceLoadStore));
    OK(cudaArrayGetInfo(&told, &extent, &flags, to));
    EXPECT(told.x == 8 && told.w == 8 && told.f == cudaChannelFormatKindUnsigned);
    EXPECT(extent.width == width && extent.height == height && extent.depth == 0);
    EXPECT(flags == cudaArraySurfaceLoadStore);
    cudaMemcpy3DParms box = {};
    box.srcPtr = make_cudaPitchedPtr(in, sizeof in[0], width, height);
    box.dstArray = from;
    box.extent = make_cudaExtent(width, height, 1);
    box.kind = cudaMemcpyHostToDevice;
    OK(cudaMemcpy3D(&box));
    cudaTextureObject_t texture = texture_of(of_array(from), cudaReadModeNormalizedFloat,
                                             cudaFilterModePoint, 1);
    cudaSurfaceObject_t surface;
    cudaResourceDesc resource = of_array(to);
    OK(cudaCreateSurfaceObject(&surface, &resource));
    scale<<<1, dim3(width, height)>>>(texture, surface);
    OK(cudaMemcpy2DFromArray(out, sizeof out[0], to, 0, 0, sizeof out[0], height,
                             cudaMemcpyDeviceToHost));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            EXPECT(out[y][x].x == 16 * x && out[y][x].y == 32 * y && out[y][x].z == 7 &&
                   out[y][x].w == 9);
    OK(cudaDestroySurfaceObject(surface));
    OK(cudaDestroyTextureObject(texture));
    OK(cudaFreeArray(from));
    OK(cudaFreeArray(to));
}

/* Each level has 10 times its number in all elements. */
static void look_at_levels()
{
    enum { LEVELS = 4 };
    float in[width * width], out[LEVELS], *result;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    cudaMipmappedArray_t mipmap;
    OK(cudaMallocMipmappedArray(&mipmap, &format, make_cudaExtent(8, 8, 0), LEVELS));
    for (int level = 0; level < LEVELS; level++) {
        int side = 8 >> level;
        cudaArray_t array;
        for (float &number : in) number = 10.0f * level;
        OK(cudaGetMipmappedArrayLevel(&array, mipmap, level));
        OK(cudaMemcpy2DToArray(array, 0, 0, in, side * sizeof *in, side * sizeof *in, side,
                               cudaMemcpyHostToDevice));
    }
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeMipmappedArray;
    resource.res.mipmap.mipmap = mipmap;
    cudaTextureDesc how = {};
    how.normalizedCoords = 1;
    how.maxMipmapLevelClamp = LEVELS - 1;
    cudaTextureObject_t texture;
    OK(cudaCreateTextureObject(&texture, &resource, &how, nullptr));
    OK(cudaMalloc(&result, sizeof out));
    sample_levels<<<1, LEVELS>>>(texture, result);
    OK(cudaMemcpy(out, result, sizeof out, cudaMemcpyDeviceToHost));
    for (int level = 0; level < LEVELS; level++) EXPECT(out[level] == 10.0f * level);
    OK(cudaDestroyTextureObject(texture));
    OK(cudaFreeMipmappedArray(mipmap));
    OK(cudaFree(result));
}

int main()
{
    look_at_floats();
    write_a_surface();
    look_at_levels();
    puts("textures");
    return 0;
}
