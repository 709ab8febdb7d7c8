/* SPDX-License-Identifier: Apache-2.0
 *
 * The memory of images, and the choice of their reader.
 */
#include "standin/image/image.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "standin/image/parts.h"

/* ---- Memory: pieces of blocks, all freed with the image ----------------------------- */

#define BLOCK_BYTES 4096
#define BOUNDARY 16

struct block {
    struct block *next;
    size_t used, bytes; /* after this struct */
};

struct whole {
    struct image image;
    struct block *blocks; /* the first one has room */
};

#define BLOCK_HEAD ((sizeof(struct block) + BOUNDARY - 1) & ~(size_t)(BOUNDARY - 1))

void *image_alloc(struct image *image, size_t bytes)
{
    struct whole *whole = (struct whole *)image;
    struct block *block = whole->blocks;
    if (bytes > SIZE_MAX / 2) return NULL;
    bytes = (bytes + BOUNDARY - 1) & ~(size_t)(BOUNDARY - 1);
    if (!block || block->bytes - block->used < bytes) {
        size_t room = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
        block = rl_zalloc(BLOCK_HEAD + room);
        if (!block) return NULL;
        block->bytes = room;
        block->next = whole->blocks;
        whole->blocks = block;
    }
    block->used += bytes;
    return (char *)block + BLOCK_HEAD + block->used - bytes;
}

char *image_copy_text(struct image *image, const char *text, size_t bytes)
{
    char *copy = image_alloc(image, bytes + 1);
    if (copy) memcpy(copy, text, bytes);
    return copy;
}

/* The room of an array is a power of two, so its count tells when it is full. */
void *image_grow(struct image *image, void *array, uint32_t count, size_t bytes)
{
    if (count & (count - 1)) return array;
    size_t room = count ? (size_t)count * 2 : 1;
    void *more = image_alloc(image, room * bytes);
    if (more && count) memcpy(more, array, count * bytes);
    return more;
}

struct image_entry *image_add_entry(struct image_reader *reader)
{
    struct image *image = reader->image;
    struct image_entry *entries =
        image_grow(image, image->entries, image->entry_count, sizeof *entries);
    if (!entries) return NULL;
    image->entries = entries;
    return &entries[image->entry_count++];
}

struct image_variable *image_add_variable(struct image_reader *reader)
{
    struct image *image = reader->image;
    struct image_variable *variables =
        image_grow(image, image->variables, image->variable_count, sizeof *variables);
    if (!variables) return NULL;
    image->variables = variables;
    return &variables[image->variable_count++];
}

void image_free(struct image *image)
{
    struct whole *whole = (struct whole *)image;
    if (!whole) return;
    for (struct block *block = whole->blocks, *next; block; block = next) {
        next = block->next;
        rl_free(block);
    }
    rl_free(whole);
}

/* ---- Refusals ----------------------------------------------------------------------- */

rill_status image_refuse(struct image_reader *reader, rill_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->refusal->message, sizeof reader->refusal->message, format, arguments);
    va_end(arguments);
    return reader->refusal->status = status;
}

rill_status image_no_memory(struct image_reader *reader)
{
    return image_refuse(reader, RILL_ERROR_OUT_OF_MEMORY, "no memory for what the image holds");
}

/* ---- Reading ------------------------------------------------------------------------ */

static rill_status read_content(struct image_reader *reader, const struct image_content *content)
{
    const char *text = NULL;
    size_t bytes = content->binary_bytes;
    if (content->linked) return image_read_linked(reader, content);
    if (content->text) {
        text = image_copy_text(reader->image, content->text, content->text_bytes);
        if (!text) return image_no_memory(reader);
    }
    if (!content->binary) return image_read_ptx(reader, text, content->text_bytes);
    reader->image->text = text;
    reader->image->text_bytes = content->text_bytes;
    return image_read_elf(reader, content->binary,
                          bytes ? bytes : image_elf_extent(content->binary));
}

rill_status image_read(const void *code, size_t bytes, const struct image_target *target,
                       struct image **image, struct image_refusal *refusal)
{
    struct image_content content;
    rill_status status = image_open(code, bytes, target, &content, refusal);
    if (status) return status;
    struct whole *whole = rl_zalloc(sizeof *whole);
    struct image_reader reader = { whole ? &whole->image : NULL, target, refusal };
    status = whole ? read_content(&reader, &content) : image_no_memory(&reader);
    image_close(&content);
    if (status) {
        image_free(whole ? &whole->image : NULL);
        return status;
    }
    *refusal = (struct image_refusal){ RILL_SUCCESS, "" };
    *image = &whole->image;
    return RILL_SUCCESS;
}

/* ---- By name ------------------------------------------------------------------------ */

const struct image_entry *image_find_entry(const struct image *image, const char *name)
{
    for (uint32_t i = 0; i < image->entry_count; i++)
        if (!strcmp(image->entries[i].name, name)) return &image->entries[i];
    return NULL;
}

const struct image_variable *image_find_variable(const struct image *image, const char *name)
{
    for (uint32_t i = 0; i < image->variable_count; i++)
        if (!strcmp(image->variables[i].name, name)) return &image->variables[i];
    return NULL;
}
