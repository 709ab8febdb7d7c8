/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of abi.h on arrays, textures and surfaces.
 */
#ifndef RT_ABI_TEXTURE_H
#define RT_ABI_TEXTURE_H

#include "runtime/abi/abi.h"

typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

enum {
    cudaChannelFormatKindSigned = 0,
    cudaChannelFormatKindUnsigned = 1,
    cudaChannelFormatKindFloat = 2,
    cudaChannelFormatKindNone = 3
};

enum {
    cudaResourceTypeArray = 0,
    cudaResourceTypeMipmappedArray = 1,
    cudaResourceTypeLinear = 2,
    cudaResourceTypePitch2D = 3
};

enum { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };

/* CUDA 13 has reserved bytes and flags after these, which nobody needs here. */
struct cudaResourceDesc {
    int resType;
    union {
        struct {
            cudaArray_t array;
        } array;
        struct {
            cudaMipmappedArray_t mipmap;
        } mipmap;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            struct cudaChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
};

struct cudaTextureDesc {
    int addressMode[3];
    int filterMode;
    int readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned maxAnisotropy;
    int mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization;
    int seamlessCubemap;
};

/* What a program of CUDA 11 has for a texture: how it is looked up, which may change until it is
 * bound. */
struct textureReference {
    int normalized;
    int filterMode;
    int addressMode[3];
    struct cudaChannelFormatDesc channelDesc;
    int sRGB;
    unsigned maxAnisotropy;
    int mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization;
    int reserved[14];
};

struct surfaceReference {
    struct cudaChannelFormatDesc channelDesc;
};

/* CUDA 13 has reserved bytes after these, which are 0. */
struct cudaResourceViewDesc {
    int format;
    size_t width, height, depth;
    unsigned firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
};

#endif
