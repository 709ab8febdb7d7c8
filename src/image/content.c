/* SPDX-License-Identifier: Apache-2.0
 *
 * Opening an image: finds its kind, and leaves the rest to the reader of that kind.
 */
#include "image/content.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "image/bytes.h"

/* The struct that a compiler leaves in a program. */
struct fatbin_pointer {
    uint32_t magic, version;
    const void *fatbin;
    const void *prelinked;
};

static const unsigned char elf_mark[4] = { 0x7f, 'E', 'L', 'F' };
static const unsigned char fatbin_mark[4] = { 0x50, 0xed, 0x55, 0xba };
static const unsigned char pointer_mark[4] = { 0xb1, 0x43, 0x62, 0x46 };

rill_status image_refuse_for(struct image_refusal *refusal, rill_status status,
                             const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(refusal->message, sizeof refusal->message, format, arguments);
    va_end(arguments);
    return refusal->status = status;
}

rill_status image_keep_text(struct image_content *content, const char *text, size_t bytes,
                            struct image_refusal *refusal)
{
    char *copy = rl_alloc(bytes + 1);
    if (!copy)
        return image_refuse_for(refusal, RILL_ERROR_OUT_OF_MEMORY,
                                "no memory for what the image holds");
    memcpy(copy, text, bytes);
    copy[bytes] = 0;
    content->text = content->text_memory = copy;
    content->text_bytes = bytes;
    return RILL_SUCCESS;
}

/* Tells whether an image has the mark.  Reads no further than the first byte that differs,
 * since text may be shorter than a mark. */
static bool begins_with(const unsigned char *code, size_t bytes, const unsigned char mark[4])
{
    for (size_t i = 0; i < 4; i++)
        if ((bytes && i >= bytes) || code[i] != mark[i]) return false;
    return true;
}

static rill_status open_text(const char *text, size_t bytes, struct image_content *content,
                             struct image_refusal *refusal)
{
    size_t length = bytes ? strnlen(text, bytes) : strlen(text);
    return image_keep_text(content, text, length, refusal);
}

static rill_status open_pointer(const unsigned char *code, const struct image_target *target,
                                struct image_content *content, struct image_refusal *refusal)
{
    struct fatbin_pointer pointer;
    memcpy(&pointer, code, sizeof pointer);
    if (!pointer.fatbin || !begins_with(pointer.fatbin, 0, fatbin_mark))
        return image_refuse_for(refusal, RILL_ERROR_INVALID_IMAGE,
                                "the struct does not point at a fatbin");
    return image_open_fatbin(pointer.fatbin, image_fatbin_extent(pointer.fatbin), target, content,
                             refusal);
}

static rill_status open_any(const unsigned char *code, size_t bytes,
                            const struct image_target *target, struct image_content *content,
                            struct image_refusal *refusal)
{
    if (begins_with(code, bytes, elf_mark)) {
        content->binary = code;
        content->binary_bytes = bytes;
        return RILL_SUCCESS;
    }
    if (begins_with(code, bytes, fatbin_mark))
        return image_open_fatbin(code, bytes ? bytes : image_fatbin_extent(code), target, content,
                                 refusal);
    if (begins_with(code, bytes, image_linked_mark))
        return image_open_linked(code, bytes, content, refusal);
    if (!begins_with(code, bytes, pointer_mark))
        return open_text((const char *)code, bytes, content, refusal);
    if (!bytes) return open_pointer(code, target, content, refusal);
    return image_refuse_for(refusal, RILL_ERROR_INVALID_IMAGE,
                            "a pointer to a fatbin means nothing outside of the program that "
                            "has it");
}

rill_status image_open(const void *code, size_t bytes, const struct image_target *target,
                       struct image_content *content, struct image_refusal *refusal)
{
    *content = (struct image_content){ .text = NULL };
    *refusal = (struct image_refusal){ RILL_SUCCESS, "" };
    if (!image_can_be(code, bytes))
        return image_refuse_for(refusal, RILL_ERROR_INVALID_VALUE,
                                "%zu bytes are more than an image can have", bytes);
    rill_status status = open_any(code, bytes, target, content, refusal);
    if (status) image_close(content);
    return status;
}

void image_close(struct image_content *content)
{
    rl_free(content->text_memory);
    rl_free(content->binary_memory);
    *content = (struct image_content){ .text = NULL };
}
