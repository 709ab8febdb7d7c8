/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of abi.h on arrays, textures and surfaces.
 */
#ifndef SI_ABI_TEXTURE_H
#define SI_ABI_TEXTURE_H

typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;

/* ---- Arrays -------------------------------------------------------------------------- */

enum {
    CU_AD_FORMAT_UNSIGNED_INT8 = 0x01,
    CU_AD_FORMAT_UNSIGNED_INT16 = 0x02,
    CU_AD_FORMAT_UNSIGNED_INT32 = 0x03,
    CU_AD_FORMAT_SIGNED_INT8 = 0x08,
    CU_AD_FORMAT_SIGNED_INT16 = 0x09,
    CU_AD_FORMAT_SIGNED_INT32 = 0x0a,
    CU_AD_FORMAT_HALF = 0x10,
    CU_AD_FORMAT_FLOAT = 0x20
};

enum {
    CUDA_ARRAY3D_LAYERED = 0x01,
    CUDA_ARRAY3D_SURFACE_LDST = 0x02,
    CUDA_ARRAY3D_CUBEMAP = 0x04,
    CUDA_ARRAY3D_TEXTURE_GATHER = 0x08,
    CUDA_ARRAY3D_DEPTH_TEXTURE = 0x10,
    CUDA_ARRAY3D_VIDEO = 0x100, /* of a video engine; to kernels as any other         */
    CUDA_ARRAY3D_FLAGS = 0x10f, /* ours: those that an array can be made with         */
    CUDA_ARRAY3D_OTHERS = 0xc0 /* ours: sparse, mapped later                          */
};

typedef struct CUDA_ARRAY_DESCRIPTOR {
    size_t width, height;
    int format;
    unsigned channels;
} CUDA_ARRAY_DESCRIPTOR;

typedef struct CUDA_ARRAY3D_DESCRIPTOR {
    size_t width, height, depth;
    int format;
    unsigned channels;
    unsigned flags;
} CUDA_ARRAY3D_DESCRIPTOR;

/* ---- Objects ------------------------------------------------------------------------- */

enum {
    CU_RESOURCE_TYPE_ARRAY = 0,
    CU_RESOURCE_TYPE_MIPMAPPED_ARRAY = 1,
    CU_RESOURCE_TYPE_LINEAR = 2,
    CU_RESOURCE_TYPE_PITCH2D = 3
};

typedef struct CUDA_RESOURCE_DESC {
    int type;
    union {
        struct {
            CUarray handle;
        } array;
        struct {
            CUmipmappedArray handle;
        } mipmap;
        struct {
            CUdeviceptr address;
            int format;
            unsigned channels;
            size_t bytes;
        } linear;
        struct {
            CUdeviceptr address;
            int format;
            unsigned channels;
            size_t width, height, pitch;
        } pitch2d;
        int reserved[32];
    };
    unsigned flags;
} CUDA_RESOURCE_DESC;

enum {
    CU_TR_ADDRESS_MODE_WRAP = 0,
    CU_TR_ADDRESS_MODE_CLAMP = 1,
    CU_TR_ADDRESS_MODE_MIRROR = 2,
    CU_TR_ADDRESS_MODE_BORDER = 3
};

enum { CU_TRSA_OVERRIDE_FORMAT = 0x01, CU_PARAM_TR_DEFAULT = -1 };

enum { CU_TR_FILTER_MODE_POINT = 0, CU_TR_FILTER_MODE_LINEAR = 1 };

enum {
    CU_TRSF_READ_AS_INTEGER = 0x01,
    CU_TRSF_NORMALIZED_COORDINATES = 0x02,
    CU_TRSF_SRGB = 0x10,
    CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION = 0x20,
    CU_TRSF_SEAMLESS_CUBEMAP = 0x40,
    CU_TRSF_FLAGS = 0x73 /* ours: all of them */
};

typedef struct CUDA_TEXTURE_DESC {
    int address[3]; /* what is outside, for each dimension */
    int filter;
    unsigned flags;
    unsigned anisotropy;
    int mipmap_filter;
    float level_bias, least_level, greatest_level;
    float border[4];
    int reserved[12];
} CUDA_TEXTURE_DESC;

typedef struct CUDA_RESOURCE_VIEW_DESC {
    int format;
    size_t width, height, depth;
    unsigned first_level, last_level, first_layer, last_layer;
    unsigned reserved[16];
} CUDA_RESOURCE_VIEW_DESC;

#endif
