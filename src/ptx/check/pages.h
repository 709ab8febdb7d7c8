/* SPDX-License-Identifier: Apache-2.0
 *
 * Pages of what is known of memory, made for what is touched only.
 */
#ifndef PTX_CHECK_PAGES_H
#define PTX_CHECK_PAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How much memory may still be taken to know things. */
struct ptx_allowance {
    size_t left;
    bool spent; /* there was too little: not everything is known */
};

struct ptx_page {
    uint64_t number;
    size_t bytes;              /* of the content */
    _Alignas(16) unsigned char content[];
};

/* Pages by number.  All zeros are none. */
struct ptx_pages {
    struct ptx_page **slots;   /* open addressing    */
    size_t room, used;
    struct ptx_page *last;     /* that was asked for */
};

/* Returns the page of that number, or NULL if there is none. */
struct ptx_page *ptx_pages_find(struct ptx_pages *pages, uint64_t number);

/* Does the same, and makes the page, with zeros, if there is none.  Returns NULL if nothing is left
 * of the allowance. */
struct ptx_page *ptx_pages_get(struct ptx_pages *pages, uint64_t number, size_t bytes,
                               struct ptx_allowance *allowance);

/* Takes another page in the place of the one with its number.  Frees that one. */
struct ptx_page *ptx_page_make(uint64_t number, size_t bytes, struct ptx_allowance *allowance);
void ptx_pages_replace(struct ptx_pages *pages, struct ptx_page *page,
                       struct ptx_allowance *allowance);

/* Frees all pages. */
void ptx_pages_clear(struct ptx_pages *pages, struct ptx_allowance *allowance);

#endif
