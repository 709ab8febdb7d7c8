/* SPDX-License-Identifier: Apache-2.0
 *
 * Vectors of one to four numbers, for C, and for C++ on both sides.  Part of cuda_runtime_api.h.
 */
#ifndef RILL_CUDA_VECTOR_TYPES_H
#define RILL_CUDA_VECTOR_TYPES_H

#if defined(__cplusplus) && defined(__CUDA__)
#define RILL_BOTH_SIDES __attribute__((host, device))
#else
#define RILL_BOTH_SIDES
#endif
#define RILL_ANYWHERE static inline RILL_BOTH_SIDES

/* Vectors are stored and loaded at once, so those of two and four are aligned. */
#define RILL_VECTORS(name, type, two, four)                                                  \
    typedef struct name##1 {                                                                 \
        type x;                                                                              \
    } name##1;                                                                               \
    typedef struct __attribute__((aligned(two))) name##2 {                                   \
        type x, y;                                                                           \
    } name##2;                                                                               \
    typedef struct name##3 {                                                                 \
        type x, y, z;                                                                        \
    } name##3;                                                                               \
    typedef struct __attribute__((aligned(four))) name##4 {                                  \
        type x, y, z, w;                                                                     \
    } name##4;                                                                               \
    RILL_ANYWHERE name##1 make_##name##1(type x)                                             \
    {                                                                                        \
        name##1 vector = { x };                                                              \
        return vector;                                                                       \
    }                                                                                        \
    RILL_ANYWHERE name##2 make_##name##2(type x, type y)                                     \
    {                                                                                        \
        name##2 vector = { x, y };                                                           \
        return vector;                                                                       \
    }                                                                                        \
    RILL_ANYWHERE name##3 make_##name##3(type x, type y, type z)                             \
    {                                                                                        \
        name##3 vector = { x, y, z };                                                        \
        return vector;                                                                       \
    }                                                                                        \
    RILL_ANYWHERE name##4 make_##name##4(type x, type y, type z, type w)                     \
    {                                                                                        \
        name##4 vector = { x, y, z, w };                                                     \
        return vector;                                                                       \
    }

RILL_VECTORS(char, signed char, 2, 4)
RILL_VECTORS(uchar, unsigned char, 2, 4)
RILL_VECTORS(short, short, 4, 8)
RILL_VECTORS(ushort, unsigned short, 4, 8)
RILL_VECTORS(int, int, 8, 16)
RILL_VECTORS(uint, unsigned, 8, 16)
RILL_VECTORS(long, long, 2 * sizeof(long), 16)
RILL_VECTORS(ulong, unsigned long, 2 * sizeof(long), 16)
RILL_VECTORS(longlong, long long, 16, 16)
RILL_VECTORS(ulonglong, unsigned long long, 16, 16)
RILL_VECTORS(float, float, 8, 16)
RILL_VECTORS(double, double, 16, 16)

#undef RILL_VECTORS
#undef RILL_ANYWHERE

#endif
