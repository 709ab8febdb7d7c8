/* SPDX-License-Identifier: Apache-2.0
 *
 * Textures and surfaces, as kernels see them: memory of a device, and how it is looked at.
 *
 * A kernel has them by handles, numbers that one table of the process gives out.  A handle that
 * was removed is not given out again for a long time.  Steps copy what they find, so that nobody
 * waits for a kernel who removes a texture, and no kernel works on one that was freed.
 */
#ifndef PTX_TEXTURE_TEXTURE_H
#define PTX_TEXTURE_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include <rill/error.h>

enum ptx_texel {
    PTX_TEXEL_U8, PTX_TEXEL_U16, PTX_TEXEL_U32, PTX_TEXEL_S8, PTX_TEXEL_S16, PTX_TEXEL_S32,
    PTX_TEXEL_F16, PTX_TEXEL_F32
};

/* What is outside: the driver's numbers. */
enum ptx_address_mode { PTX_WRAPS, PTX_CLAMPS, PTX_MIRRORS, PTX_HAS_BORDER };

struct ptx_texture {
    uint64_t address;      /* of the first element                                     */
    uint64_t pitch, slice; /* bytes from a row, or a slice or layer, to the next       */
    uint32_t extent[3];    /* width, rows, slices or layers; at least 1                */
    uint32_t told[3];      /* the same as txq tells it: 0 where there is no dimension  */
    uint8_t texel;         /* enum ptx_texel                                           */
    uint8_t channels;      /* 1, 2 or 4                                                */
    bool surface;          /* and no texture                                           */
    bool packed;           /* memory without rows: only integers say where             */
    bool array;            /* no memory that has an address                            */
    bool cube;             /* each six layers are the faces of one                     */
    bool normalized;       /* coordinates go from 0 to 1                               */
    bool integer;          /* 8 and 16 bits are read as integers, not as fractions     */
    bool linear;           /* filter                                                   */
    uint8_t mode[3];       /* enum ptx_address_mode, by dimension                      */
    float border[4];

    /* Of a level of a mipmap; a texture of a mipmap is its first level. */
    uint8_t levels;        /* from this one on; 0 if this is no mipmap                 */
    int32_t bias, least_level, most_level; /* in 256ths: what is added to a level that is
                              asked for, and what lookups get                          */
    bool anisotropic;      /* gradients ask for more than a level                      */
    bool between;          /* two levels are weighed; else the nearer one is taken     */
    uint64_t next;         /* the handle of the next level, or 0                       */
};

/* A reference stands for the texture or surface that is bound to it when a kernel is launched.  Its
 * address is a handle of its own, in which its number is; the launch has the other handle. */
#define PTX_REFERENCE_WINDOW UINT64_C(0xFFFB000000000000)
#define PTX_REFERENCE(number) (PTX_REFERENCE_WINDOW + (uint64_t)(number))

/* Returns the bytes of one channel. */
static inline uint32_t ptx_texel_bytes(uint8_t texel)
{
    static const uint8_t bytes[] = { 1, 2, 4, 1, 2, 4, 2, 4 };
    return bytes[texel];
}

/* Adds a texture or surface to the table. */
rill_status ptx_texture_add(const struct ptx_texture *texture, uint64_t *handle);

/* Adds the levels of a mipmap, of which there is at least one.  The handle is the first one's. */
rill_status ptx_texture_add_levels(struct ptx_texture *levels, unsigned count, uint64_t *handle);

/* Takes one out, with the levels after it.  Returns false if the handle is none, or no longer. */
bool ptx_texture_remove(uint64_t handle);

/* Copies one.  Returns false if the handle is none, or no longer. */
bool ptx_texture_find(uint64_t handle, struct ptx_texture *texture);

#endif
