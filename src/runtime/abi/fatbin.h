/* SPDX-License-Identifier: Apache-2.0
 *
 * What a compiler leaves in a program to point at its images.
 */
#ifndef RT_ABI_FATBIN_H
#define RT_ABI_FATBIN_H

#define RT_FATBIN_MAGIC 0x466243b1

enum { RT_FATBIN_TO_LINK = 2 }; /* the version of what was compiled with -rdc=true */

struct rt_fatbin {
    int magic;
    int version;
    const void *image;
    void **parts; /* to be linked where the image has nothing for a device; ends with NULL */
};

/* What an image and a part begin with.  Entries follow. */
struct rt_fatbin_head {
    unsigned magic;
    unsigned short version, head_bytes;
    unsigned long long bytes; /* after the head */
};

#define RT_FATBIN_HEAD_MAGIC 0xba55ed50u

enum { RT_FATBIN_PTX = 1 };

/* What an entry begins with. */
struct rt_fatbin_entry {
    unsigned short kind, version;
    unsigned head_bytes;
    unsigned long long bytes; /* after the head */
};

#endif
