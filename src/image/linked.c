/* SPDX-License-Identifier: Apache-2.0
 *
 * The output of a linker: a head of 16 bytes that states how many follow, and the unchanged
 * texts, each with a zero after it, or a single zero if there is no text.  The texts are
 * linked when the image is loaded.  Only rill makes such images, and only rill accepts them.
 */
#include <string.h>

#include "image/bytes.h"

#define HEAD 16
#define VERSION 1

const unsigned char image_linked_mark[4] = { 0x7f, 'P', 'T', 'X' };

size_t image_linked_bytes(size_t text_bytes)
{
    return HEAD + text_bytes;
}

char *image_linked_begin(void *image, size_t text_bytes)
{
    unsigned char *head = image;
    memcpy(head, image_linked_mark, sizeof image_linked_mark);
    memset(head + 4, 0, HEAD - 4);
    head[4] = VERSION;
    for (int i = 0; i < 8; i++) head[8 + i] = (unsigned char)((uint64_t)text_bytes >> 8 * i);
    return (char *)head + HEAD;
}

rill_status image_open_linked(const unsigned char *code, size_t bytes,
                              struct image_content *content, struct image_refusal *refusal)
{
    if (bytes && bytes < HEAD)
        return image_refuse_for(refusal, RILL_ERROR_INVALID_IMAGE,
                                "what was linked is cut off in its head");
    uint64_t texts = image_u64(code + 8);
    if (code[4] != VERSION || !texts || texts > SIZE_MAX / 2 ||
        (bytes && texts > bytes - HEAD) || code[HEAD + texts - 1])
        return image_refuse_for(refusal, RILL_ERROR_INVALID_IMAGE,
                                "what was linked is cut off, or from another version of rill");
    content->text = (const char *)code + HEAD;
    content->text_bytes = (size_t)texts - 1;
    content->linked = true;
    return RILL_SUCCESS;
}
