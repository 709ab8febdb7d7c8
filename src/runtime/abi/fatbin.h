/* SPDX-License-Identifier: Apache-2.0
 *
 * What a compiler leaves in a program to point at its images.
 */
#ifndef RT_ABI_FATBIN_H
#define RT_ABI_FATBIN_H

#define RT_FATBIN_MAGIC 0x466243b1

struct rt_fatbin {
    int magic;
    int version;
    const void *image;
    void *linked; /* version 2: a list that the linker of the device's code fills */
};

#endif
