/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions: the name, the parameters of a kernel, and what is said about its blocks
 * before the body.
 */
#include "standin/image_ptx.h"

#include <string.h>

#define PARAM_BYTES_MAX 32764 /* of all of a kernel's */

/* ---- Parameters --------------------------------------------------------------------- */

static rill_status add_param(struct ptx *ptx, struct image_entry *entry,
                             const struct ptx_declaration *declaration)
{
    struct image_param *params =
        image_grow(ptx->reader->image, entry->params, entry->param_count, sizeof *params);
    if (!params) return image_no_memory(ptx->reader);
    uint64_t alignment = declaration->alignment;
    uint64_t offset = (entry->param_bytes + alignment - 1) & ~(alignment - 1);
    if (!declaration->size || declaration->size > PARAM_BYTES_MAX ||
        offset + declaration->size > PARAM_BYTES_MAX)
        return iptx_wrong(ptx, "the parameters of a kernel have 1 to 32764 bytes");
    entry->params = params;
    params[entry->param_count++] = (struct image_param){
        .offset = (uint32_t)offset,
        .bytes = (uint32_t)declaration->size,
        .alignment = (uint32_t)alignment,
    };
    entry->param_bytes = (uint32_t)(offset + declaration->size);
    return RILL_SUCCESS;
}

static rill_status read_params(struct ptx *ptx, struct image_entry *entry)
{
    struct ptx_text *text = &ptx->text;
    struct ptx_declaration declaration;
    rill_status status = RILL_SUCCESS;
    if (iptx_accept_mark(text, ')')) return RILL_SUCCESS;
    do {
        if (!iptx_accept(text, ".param")) return iptx_wrong(ptx, "'.param' is missing");
        status = iptx_declare(ptx, &declaration);
        if (!status) status = add_param(ptx, entry, &declaration);
    } while (!status && iptx_accept_mark(text, ','));
    return status ? status : iptx_expect(ptx, ')');
}

/* Those of a function that is no kernel concern nobody outside. */
static rill_status skip_params(struct ptx *ptx)
{
    while (ptx->text.token.kind != PTX_END && !iptx_is_mark(&ptx->text.token, ')'))
        iptx_next(&ptx->text);
    return iptx_expect(ptx, ')');
}

/* ---- What is said before the body --------------------------------------------------- */

/* Up to three numbers; those that are left out are 1. */
static rill_status read_shape(struct ptx *ptx, uint32_t shape[3])
{
    uint64_t value;
    shape[0] = shape[1] = shape[2] = 1;
    for (unsigned i = 0; i < 3; i++) {
        if (!iptx_number(&ptx->text.token, &value) || !value || value > INT32_MAX)
            return iptx_wrong(ptx, "a number of threads or blocks is missing");
        shape[i] = (uint32_t)value;
        iptx_next(&ptx->text);
        if (!iptx_accept_mark(&ptx->text, ',')) break;
    }
    return RILL_SUCCESS;
}

static rill_status read_block(struct ptx *ptx, uint32_t shape[3], uint32_t *threads)
{
    rill_status status = read_shape(ptx, shape);
    if (status) return status;
    uint64_t all = (uint64_t)shape[0] * shape[1];
    if (all <= INT32_MAX) all *= shape[2];
    *threads = all > INT32_MAX ? INT32_MAX : (uint32_t)all;
    return RILL_SUCCESS;
}

/* Directives that say no more than how to compile, with and without a number. */
static bool is_advice(const struct ptx_token *token, bool *number)
{
    static const char *const numbered[] = { ".minnctapersm", ".maxnctapersm", ".maxnreg",
                                            ".maxclusterrank", ".abi_preserve",
                                            ".abi_preserve_control" };
    static const char *const plain[] = { ".explicitcluster", ".blocksareclusters", ".noreturn",
                                         ".unified" };
    for (size_t i = 0; i < sizeof numbered / sizeof *numbered; i++)
        if (iptx_is(token, numbered[i])) return *number = true;
    *number = false;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (iptx_is(token, plain[i])) return true;
    return false;
}

static rill_status read_advice(struct ptx *ptx)
{
    bool number;
    uint64_t value;
    if (!is_advice(&ptx->text.token, &number))
        return iptx_wrong(ptx, "this is nothing that is said of a function");
    iptx_next(&ptx->text);
    if (!number) return RILL_SUCCESS;
    if (!iptx_number(&ptx->text.token, &value)) return iptx_wrong(ptx, "a number is missing");
    iptx_next(&ptx->text);
    return RILL_SUCCESS;
}

static rill_status skip_pragma(struct ptx *ptx)
{
    while (ptx->text.token.kind == PTX_STRING || iptx_is_mark(&ptx->text.token, ','))
        iptx_next(&ptx->text);
    return iptx_expect(ptx, ';');
}

static rill_status read_directives(struct ptx *ptx, struct image_entry *entry)
{
    struct ptx_text *text = &ptx->text;
    rill_status status = RILL_SUCCESS;
    uint32_t shape[3];
    while (!status && text->token.kind == PTX_DIRECTIVE) {
        if (iptx_accept(text, ".maxntid")) {
            status = read_block(ptx, shape, &entry->max_threads);
        } else if (iptx_accept(text, ".reqntid")) {
            status = read_block(ptx, entry->block, &entry->max_threads);
        } else if (iptx_accept(text, ".reqnctapercluster")) {
            status = read_shape(ptx, entry->cluster);
        } else if (iptx_accept(text, ".pragma")) {
            status = skip_pragma(ptx);
        } else {
            status = read_advice(ptx);
        }
    }
    return status;
}

/* ---- The whole ---------------------------------------------------------------------- */

static rill_status read_head(struct ptx *ptx, struct image_entry *entry, bool kernel)
{
    rill_status status = RILL_SUCCESS;
    if (iptx_accept_mark(&ptx->text, '('))
        status = kernel ? read_params(ptx, entry) : skip_params(ptx);
    return status ? status : read_directives(ptx, entry);
}

static rill_status add_entry(struct ptx *ptx, const struct ptx_token *token,
                             const struct image_entry *head)
{
    struct image *image = ptx->reader->image;
    struct image_entry *entry = image_add_entry(ptx->reader);
    if (!entry) return image_no_memory(ptx->reader);
    *entry = *head;
    entry->empty = true; /* until an instruction is seen */
    entry->name = image_copy_text(image, token->at, token->bytes);
    return entry->name ? RILL_SUCCESS : image_no_memory(ptx->reader);
}

rill_status iptx_function(struct ptx *ptx, bool kernel, bool external)
{
    struct image_entry head = { .name = NULL };
    struct ptx_text *text = &ptx->text;
    rill_status status = RILL_SUCCESS;
    struct ptx_name *name;
    if (iptx_accept(text, ".attribute")) status = skip_params(ptx);
    if (!status && !kernel && iptx_accept_mark(text, '(')) status = skip_params(ptx);
    if (status) return status;
    struct ptx_token token = text->token;
    if (token.kind != PTX_WORD) return iptx_wrong(ptx, "the name of a function is missing");
    iptx_next(text);
    status = read_head(ptx, &head, kernel);
    if (status) return status;
    bool body = iptx_accept_mark(text, '{');
    status = iptx_define(ptx, &token, kernel ? PTX_THING_ENTRY : PTX_THING_FUNCTION, body, &name);
    if (status) return status;
    if (!body) return iptx_expect(ptx, ';');
    if (external) return iptx_wrong(ptx, "what is external has no body");
    if (kernel) status = add_entry(ptx, &token, &head);
    if (status) return status;
    return iptx_body(ptx, kernel ? ptx->reader->image->entry_count - 1 : PTX_NO_ENTRY);
}
