/* SPDX-License-Identifier: Apache-2.0
 *
 * The tables of models.  What goes with the compute capability is from the tables of the CUDA
 * programming guide, what a device has of its own from its data sheet; memory is what the data
 * sheet says, of which a driver keeps a few hundred MiB.  The H100 and the H200 were asked.
 */
#include "device/model.h"

#define KIB 1024u

const struct device_generation device_generations[] = {
    /* 6.0   threads blocks    shared     opt-in  reserved 1:2  L2  window    linear    domains */
    { 60,    2048, 32,   64 * KIB,  48 * KIB,    0,  2,  0,         0, 268435456, 1, false },
    { 61,    2048, 32,   96 * KIB,  48 * KIB,    0, 32,  0,         0, 134217728, 1, false },
    { 70,    2048, 32,   96 * KIB,  96 * KIB,    0,  2,  0,         0, 268435456, 1, false },
    { 72,    2048, 32,   96 * KIB,  96 * KIB,    0, 32,  0,         0, 134217728, 1, false },
    { 75,    1024, 16,   64 * KIB,  64 * KIB,    0, 32,  0,         0, 268435456, 1, false },
    { 80,    2048, 32,  164 * KIB, 163 * KIB, 1024,  2, 12, 134213632, 268435456, 1, false },
    { 86,    1536, 16,  100 * KIB,  99 * KIB, 1024, 64, 11, 134213632, 268435456, 1, false },
    { 87,    1536, 16,  164 * KIB, 163 * KIB, 1024, 64,  0,         0, 268435456, 1, false },
    { 89,    1536, 24,  100 * KIB,  99 * KIB, 1024, 64, 11, 134213632, 268435456, 1, false },
    { 90,    2048, 32,  228 * KIB, 227 * KIB, 1024,  2, 10, 134217728, 268435456, 4, true },
    { 100,   2048, 32,  228 * KIB, 227 * KIB, 1024,  2, 10, 134217728, 268435456, 4, true },
    { 120,   1536, 24,  100 * KIB,  99 * KIB, 1024, 64, 10, 134217728, 268435456, 4, true },
    { 0 },
};

#define GIB 1024u /* MiB */

const struct device_model device_models[] = {
    { "default", "rill simulator (H200 limits)",
      90, 132, 8 * GIB, 61440, 1980, 3201, 6016, 3, true, false },

    { "b200", "NVIDIA B200", 100, 148, 180 * GIB, 129536, 1965, 3996, 8192, 4, true, false },
    { "rtx5090", "NVIDIA GeForce RTX 5090",
      120, 170, 32 * GIB, 98304, 2407, 14001, 512, 2, false, false },
    { "h200", "NVIDIA H200", 90, 132, 141 * GIB, 61440, 1980, 3201, 6016, 3, true, false },
    { "h100", "NVIDIA H100 80GB HBM3", 90, 132, 80 * GIB, 51200, 1980, 2619, 5120, 3, true, false },
    { "l40s", "NVIDIA L40S", 89, 142, 48 * GIB, 98304, 2520, 9001, 384, 2, true, false },
    { "l4", "NVIDIA L4", 89, 58, 24 * GIB, 49152, 2040, 6251, 192, 2, true, false },
    { "rtx4090", "NVIDIA GeForce RTX 4090",
      89, 128, 24 * GIB, 73728, 2520, 10501, 384, 2, false, false },
    { "a40", "NVIDIA A40", 86, 84, 48 * GIB, 6144, 1740, 7251, 384, 2, true, false },
    { "a10", "NVIDIA A10", 86, 72, 24 * GIB, 6144, 1695, 6251, 384, 2, true, false },
    { "rtx3090", "NVIDIA GeForce RTX 3090",
      86, 82, 24 * GIB, 6144, 1695, 9751, 384, 2, false, false },
    { "rtx3080", "NVIDIA GeForce RTX 3080",
      86, 68, 10 * GIB, 5120, 1710, 9501, 320, 2, false, false },
    { "a100", "NVIDIA A100-SXM4-80GB", 80, 108, 80 * GIB, 40960, 1410, 1593, 5120, 3, true, false },
    { "a100-40gb", "NVIDIA A100-SXM4-40GB",
      80, 108, 40 * GIB, 40960, 1410, 1215, 5120, 3, true, false },
    { "a30", "NVIDIA A30", 80, 56, 24 * GIB, 24576, 1440, 1215, 3072, 3, true, false },
    { "t4", "Tesla T4", 75, 40, 16 * GIB, 4096, 1590, 5001, 256, 3, true, false },
    { "rtx2080ti", "NVIDIA GeForce RTX 2080 Ti",
      75, 68, 11 * GIB, 5632, 1545, 7000, 352, 3, false, false },
    { "v100", "Tesla V100-SXM2-16GB", 70, 80, 16 * GIB, 6144, 1530, 877, 4096, 5, true, false },
    { "gtx1080ti", "NVIDIA GeForce GTX 1080 Ti",
      61, 28, 11 * GIB, 2816, 1582, 5505, 352, 2, false, false },
    { "p100", "Tesla P100-SXM2-16GB", 60, 56, 16 * GIB, 4096, 1480, 715, 4096, 3, true, false },

    { "orin", "Orin", 87, 16, 64 * GIB, 4096, 1300, 3200, 256, 2, false, true },
    { "xavier", "Xavier", 72, 8, 32 * GIB, 512, 1377, 2133, 256, 1, false, true },
};

const size_t device_model_count = sizeof device_models / sizeof *device_models;
