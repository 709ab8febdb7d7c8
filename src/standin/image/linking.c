/* SPDX-License-Identifier: Apache-2.0 */
#include "standin/image/linking.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "image/object.h"
#include "ptx/builtin/builtin.h"
#include "ptx/link/linker.h"
#include "standin/image/parts.h"

struct image_linking {
    struct ptx_linker *linker;
    char *texts;            /* each with a zero after it                      */
    size_t bytes, room;
    uint32_t text_count;
    unsigned char *alone;   /* the first image, if it has machine code, or NULL */
    size_t alone_bytes;
    uint32_t alone_texts;   /* how many of the texts it has                   */
    unsigned char *image;   /* what was made                                  */
    struct image_refusal broken; /* why an input did not fit; its status is 0 if all do */
};

struct image_linking *image_linking_open(void)
{
    struct image_linking *linking = rl_zalloc(sizeof *linking);
    if (linking) linking->linker = ptx_linker_open(NULL);
    if (linking && linking->linker) return linking;
    rl_free(linking);
    return NULL;
}

void image_linking_close(struct image_linking *linking)
{
    if (!linking) return;
    ptx_linker_close(linking->linker);
    rl_free(linking->texts);
    rl_free(linking->alone);
    rl_free(linking->image);
    rl_free(linking);
}

static rill_status refuse_no_memory(struct image_refusal *refusal)
{
    return image_refuse_for(refusal, RILL_ERROR_OUT_OF_MEMORY, "no memory for what is linked");
}

/* ---- Texts ------------------------------------------------------------------------------ */

/* Makes room for so many more bytes. */
static bool reserve_text(struct image_linking *linking, size_t more)
{
    size_t room = linking->room ? linking->room : 4096;
    if (more > SIZE_MAX / 4 || linking->bytes > SIZE_MAX / 4) return false;
    while (room - linking->bytes < more) room *= 2;
    if (room == linking->room) return true;
    char *texts = rl_alloc(room);
    if (!texts) return false;
    if (linking->bytes) memcpy(texts, linking->texts, linking->bytes);
    rl_free(linking->texts);
    linking->texts = texts;
    linking->room = room;
    return true;
}

static rill_status add_module(struct image_linking *linking, struct ptx_module *module,
                              const char *name, const struct image_target *target,
                              struct image_refusal *refusal)
{
    struct ptx_refusal wrong;
    rill_status status = image_check_ptx(module, target, refusal);
    if (status) return status;
    if (!ptx_linker_add(linking->linker, module, name, &wrong)) return RILL_SUCCESS;
    image_refuse_for(refusal, wrong.status, "%s", wrong.message);
    if (wrong.status != RILL_ERROR_OUT_OF_MEMORY && !linking->broken.status)
        linking->broken = *refusal;
    return wrong.status;
}

static rill_status add_text(struct image_linking *linking, const char *text, size_t bytes,
                            const char *name, const struct image_target *target,
                            struct image_refusal *refusal)
{
    const struct ptx_limits limits = { .version = target->ptx_version };
    struct ptx_refusal wrong;
    struct ptx_module *module;
    rill_status status = image_check_head(text, bytes, refusal);
    if (status) return status;
    if (!reserve_text(linking, bytes + 1)) return refuse_no_memory(refusal);
    if (ptx_read(text, bytes, &limits, &module, &wrong))
        return image_refuse_for(refusal, wrong.status, "%s", wrong.message);
    if (ptx_is_device_runtime(module)) {
        ptx_module_free(module);
        return RILL_SUCCESS;
    }
    status = add_module(linking, module, name, target, refusal);
    if (status) {
        ptx_module_free(module);
        return status;
    }
    memcpy(linking->texts + linking->bytes, text, bytes);
    linking->texts[linking->bytes + bytes] = 0;
    linking->bytes += bytes + 1;
    linking->text_count++;
    return RILL_SUCCESS;
}

/* Adds one text, or those of another linking. */
static rill_status add_texts(struct image_linking *linking, const struct image_content *content,
                             const char *name, const struct image_target *target,
                             struct image_refusal *refusal)
{
    rill_status status = RILL_SUCCESS;
    for (size_t at = 0, length; at < content->text_bytes && !status; at += length + 1) {
        length = strnlen(content->text + at, content->text_bytes - at);
        status = add_text(linking, content->text + at, length, name, target, refusal);
    }
    return content->text_bytes || content->linked ? status : image_check_head("", 0, refusal);
}

/* ---- Machine code ----------------------------------------------------------------------- */

static rill_status refuse_machine_code(struct image_refusal *refusal)
{
    return image_refuse_for(refusal, RILL_ERROR_NOT_SUPPORTED,
                            "only PTX can be linked, or a single cubin or fatbin");
}

/* Keeps an image as it is.  A cubin that says its own size is checked when it is loaded. */
static rill_status keep_alone(struct image_linking *linking, const void *code, size_t bytes,
                              const struct image_target *target, struct image_refusal *refusal)
{
    struct image *image;
    rill_status status = image_read(code, bytes, target, &image, refusal);
    if (status) return status;
    image_free(image);
    linking->alone = rl_alloc(bytes);
    if (!linking->alone) return refuse_no_memory(refusal);
    memcpy(linking->alone, code, bytes);
    linking->alone_bytes = bytes;
    return RILL_SUCCESS;
}

/* Tells whether machine code is the device runtime, which CUDA 13 brings as that alone. */
static bool is_device_runtime(const struct image_content *content)
{
    const size_t bytes = content->binary_bytes ? content->binary_bytes
                                               : image_elf_extent(content->binary);
    return image_elf_defines(content->binary, bytes, ptx_tells_device_runtime);
}

static rill_status add_image(struct image_linking *linking, const void *code, size_t bytes,
                             const char *name, const struct image_content *content,
                             const struct image_target *target, struct image_refusal *refusal)
{
    bool first = !linking->alone && !linking->text_count;
    if (content->binary && is_device_runtime(content)) return RILL_SUCCESS;
    if (linking->alone && !linking->alone_texts) return refuse_machine_code(refusal);
    if (!content->binary) return add_texts(linking, content, name, target, refusal);
    if (!first)
        return content->text ? add_texts(linking, content, name, target, refusal)
                             : refuse_machine_code(refusal);
    rill_status status = keep_alone(linking, code, bytes, target, refusal);
    if (status || !content->text) return status;
    /* Whatever is wrong with the text, the machine code can be loaded. */
    struct image_refusal ignored;
    if (!add_texts(linking, content, name, target, &ignored))
        linking->alone_texts = linking->text_count;
    return RILL_SUCCESS;
}

/* ---- Objects ---------------------------------------------------------------------------- */

struct adding {
    struct image_linking *linking;
    const char *name;
    const struct image_target *target;
    struct image_refusal *refusal;
};

static rill_status add_fatbin(void *data, const unsigned char *fatbin, size_t bytes)
{
    const struct adding *adding = data;
    return image_linking_add(adding->linking, fatbin, bytes, adding->name, adding->target,
                             adding->refusal);
}

rill_status image_linking_add_object(struct image_linking *linking, const void *file, size_t bytes,
                                     const char *name, const struct image_target *target,
                                     struct image_refusal *refusal)
{
    struct adding adding = { linking, name, target, refusal };
    return image_each_fatbin(file, bytes, add_fatbin, &adding, refusal);
}

/* ---- The whole -------------------------------------------------------------------------- */

rill_status image_linking_add(struct image_linking *linking, const void *code, size_t bytes,
                              const char *name, const struct image_target *target,
                              struct image_refusal *refusal)
{
    struct image_content content;
    rill_status status = image_open(code, bytes, target, &content, refusal);
    if (status) return status;
    status = add_image(linking, code, bytes, name, &content, target, refusal);
    image_close(&content);
    return status;
}

rill_status image_linking_finish(struct image_linking *linking, const void **image, size_t *bytes,
                                 struct image_refusal *refusal)
{
    struct ptx_refusal wrong;
    struct ptx_module *module;
    *refusal = linking->broken;
    if (refusal->status) return refusal->status;
    if (linking->alone && linking->text_count == linking->alone_texts) {
        *image = linking->alone;
        *bytes = linking->alone_bytes;
        return RILL_SUCCESS;
    }
    size_t length = linking->bytes ? linking->bytes : 1; /* without texts a zero */
    size_t size = image_linked_bytes(length);
    unsigned char *made = rl_alloc(size);
    if (!made) return refuse_no_memory(refusal);
    if (ptx_linker_finish(linking->linker, &module, &wrong)) {
        rl_free(made);
        return image_refuse_for(refusal, wrong.status, "%s", wrong.message);
    }
    ptx_module_free(module);
    char *texts = image_linked_begin(made, length);
    *texts = 0;
    if (linking->bytes) memcpy(texts, linking->texts, linking->bytes);
    linking->image = made;
    *image = made;
    *bytes = size;
    return RILL_SUCCESS;
}
