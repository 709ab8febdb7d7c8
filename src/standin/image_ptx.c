/* SPDX-License-Identifier: Apache-2.0
 *
 * PTX: the head of the text, what is declared at its top, and names.
 */
#include "standin/image_ptx.h"

#include <string.h>

#include "base/alloc.h"

/* ---- What is wrong --------------------------------------------------------------- */

static unsigned line_of(const struct ptx_text *text)
{
    unsigned line = 1;
    for (const char *at = text->begin; at < text->token.at; at++) line += *at == '\n';
    return line;
}

rill_status iptx_wrong(struct ptx *ptx, const char *what)
{
    const struct ptx_token *token = &ptx->text.token;
    int shown = token->bytes > 40 ? 40 : (int)token->bytes;
    if (token->kind == PTX_END)
        return image_refuse(ptx->reader, RILL_ERROR_INVALID_PTX, "line %u: %s, but the text ends",
                            line_of(&ptx->text), what);
    return image_refuse(ptx->reader, RILL_ERROR_INVALID_PTX, "line %u, at '%.*s': %s",
                        line_of(&ptx->text), shown, token->at, what);
}

rill_status iptx_expect(struct ptx *ptx, char mark)
{
    const char what[] = { 'a', ' ', '\'', mark, '\'', ' ', 'i', 's', ' ',
                          'm', 'i', 's', 's', 'i', 'n', 'g', 0 };
    return iptx_accept_mark(&ptx->text, mark) ? RILL_SUCCESS : iptx_wrong(ptx, what);
}

/* ---- Names: a table with open addresses ------------------------------------------ */

static uint32_t slot_of(const struct ptx_names *names, const char *at, size_t bytes)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < bytes; i++)
        hash = (hash ^ (unsigned char)at[i]) * UINT64_C(0x100000001b3);
    uint32_t slot = (uint32_t)(hash >> 32) & (names->room - 1);
    while (names->slots[slot].at &&
           (names->slots[slot].bytes != bytes || memcmp(names->slots[slot].at, at, bytes) != 0))
        slot = (slot + 1) & (names->room - 1);
    return slot;
}

struct ptx_name *iptx_find(const struct ptx_names *names, const struct ptx_token *token)
{
    if (!names->count) return NULL;
    struct ptx_name *name = &names->slots[slot_of(names, token->at, token->bytes)];
    return name->at ? name : NULL;
}

static bool make_room(struct ptx_names *names)
{
    if (names->count < names->room / 2) return true;
    struct ptx_names more = { NULL, names->count, names->room ? names->room * 2 : 64 };
    more.slots = rl_zalloc(more.room * sizeof *more.slots);
    if (!more.slots) return false;
    for (uint32_t i = 0; i < names->room; i++) {
        const struct ptx_name *name = &names->slots[i];
        if (name->at) more.slots[slot_of(&more, name->at, name->bytes)] = *name;
    }
    rl_free(names->slots);
    *names = more;
    return true;
}

rill_status iptx_define(struct ptx *ptx, const struct ptx_token *token, enum ptx_thing thing,
                       bool defined, struct ptx_name **out)
{
    if (!make_room(&ptx->names)) return image_no_memory(ptx->reader);
    struct ptx_name *name = &ptx->names.slots[slot_of(&ptx->names, token->at, token->bytes)];
    *out = name;
    if (!name->at) {
        *name = (struct ptx_name){ .at = token->at, .bytes = token->bytes, .thing = thing,
                                   .defined = defined, .index = UINT32_MAX,
                                   .counted = PTX_NO_ENTRY };
        ptx->names.count++;
        return RILL_SUCCESS;
    }
    if (name->thing == thing && !(name->defined && defined)) {
        name->defined |= defined;
        return RILL_SUCCESS;
    }
    return image_refuse(ptx->reader, RILL_ERROR_INVALID_PTX, "'%.*s' is there twice",
                        token->bytes > 100 ? 100 : (int)token->bytes, token->at);
}

/* ---- The head -------------------------------------------------------------------- */

/* "9.0" or "sm_90a": digits, and what comes behind them is ignored. */
static uint32_t leading_digits(const char *at, const char *end)
{
    uint32_t value = 0;
    for (; at < end && *at >= '0' && *at <= '9' && value < 100000; at++)
        value = value * 10 + (uint32_t)(*at - '0');
    return value;
}

static rill_status read_version(struct ptx *ptx)
{
    struct ptx_token token = ptx->text.token;
    const char *end = token.at + token.bytes, *dot = memchr(token.at, '.', token.bytes);
    if (token.kind != PTX_NUMBER || !dot || dot + 1 == end)
        return iptx_wrong(ptx, "a version such as 9.0 is missing");
    uint32_t version = leading_digits(token.at, dot) * 10 + leading_digits(dot + 1, end);
    uint32_t newest = ptx->reader->target->ptx_version;
    if (version > newest)
        return image_refuse(ptx->reader, RILL_ERROR_UNSUPPORTED_PTX_VERSION,
                            "the text is PTX %.*s, and the newest that is understood is %u.%u",
                            token.bytes > 20 ? 20 : (int)token.bytes, token.at, newest / 10,
                            newest % 10);
    iptx_next(&ptx->text);
    return RILL_SUCCESS;
}

/* One or more words; one of them is the architecture. */
static rill_status read_target(struct ptx *ptx)
{
    uint32_t wanted = ptx->reader->target->architecture;
    if (!iptx_accept(&ptx->text, ".target")) return iptx_wrong(ptx, "'.target' is missing");
    do {
        struct ptx_token token = ptx->text.token;
        if (token.kind != PTX_WORD) return iptx_wrong(ptx, "the name of a target is missing");
        if (token.bytes > 3 && !memcmp(token.at, "sm_", 3)) {
            uint32_t has = leading_digits(token.at + 3, token.at + token.bytes);
            if (has > wanted)
                return image_refuse(ptx->reader, RILL_ERROR_INVALID_PTX,
                                    "the text is for sm_%u and newer, which sm_%u is not", has,
                                    wanted);
            ptx->reader->image->architecture = has;
        }
        iptx_next(&ptx->text);
    } while (iptx_accept_mark(&ptx->text, ','));
    return RILL_SUCCESS;
}

/* ---- The top --------------------------------------------------------------------- */

static rill_status skip_number(struct ptx *ptx)
{
    if (ptx->text.token.kind != PTX_NUMBER) return iptx_wrong(ptx, "a number is missing");
    iptx_next(&ptx->text);
    return RILL_SUCCESS;
}

/* .file NUMBER "NAME" [, NUMBER, NUMBER] */
static rill_status skip_file(struct ptx *ptx)
{
    rill_status status = skip_number(ptx);
    if (status) return status;
    if (ptx->text.token.kind != PTX_STRING) return iptx_wrong(ptx, "the name of a file is missing");
    iptx_next(&ptx->text);
    while (!status && iptx_accept_mark(&ptx->text, ',')) status = skip_number(ptx);
    return status;
}

static rill_status skip_past(struct ptx *ptx, char mark)
{
    while (ptx->text.token.kind != PTX_END && !iptx_is_mark(&ptx->text.token, mark))
        iptx_next(&ptx->text);
    return iptx_expect(ptx, mark);
}

static rill_status read_top(struct ptx *ptx)
{
    struct ptx_text *text = &ptx->text;
    bool external = false;
    while (iptx_is(&text->token, ".visible") || iptx_is(&text->token, ".extern") ||
           iptx_is(&text->token, ".weak") || iptx_is(&text->token, ".common")) {
        external |= iptx_is(&text->token, ".extern");
        iptx_next(text);
    }
    if (iptx_accept(text, ".entry")) return iptx_function(ptx, true, external);
    if (iptx_accept(text, ".func")) return iptx_function(ptx, false, external);
    if (iptx_accept(text, ".global") || iptx_accept(text, ".tex"))
        return iptx_variables(ptx, IMAGE_GLOBAL, external);
    if (iptx_accept(text, ".const")) return iptx_variables(ptx, IMAGE_CONSTANT, external);
    if (iptx_accept(text, ".shared")) return iptx_shared(ptx, NULL);
    if (iptx_accept(text, ".file")) return skip_file(ptx);
    if (iptx_accept(text, ".section")) return skip_past(ptx, '}');
    if (iptx_accept(text, ".pragma") || iptx_accept(text, ".alias")) return skip_past(ptx, ';');
    if (iptx_accept(text, ".address_size")) return skip_number(ptx);
    return iptx_wrong(ptx, "this is nothing that a module is made of");
}

/* ---- The whole ------------------------------------------------------------------- */

static rill_status read(struct ptx *ptx)
{
    rill_status status = read_version(ptx);
    if (!status) status = read_target(ptx);
    while (!status && ptx->text.token.kind != PTX_END) status = read_top(ptx);
    return status;
}

rill_status image_read_ptx(struct image_reader *reader, const char *text, size_t bytes)
{
    struct ptx ptx = { .reader = reader };
    iptx_open(&ptx.text, text, bytes);
    if (!iptx_accept(&ptx.text, ".version"))
        return image_refuse(reader, RILL_ERROR_INVALID_IMAGE,
                            "this is no image: it is no cubin, no fatbin, and no PTX, which begins "
                            "with '.version'");
    rill_status status = read(&ptx);
    rl_free(ptx.names.slots);
    reader->image->text = text;
    reader->image->text_bytes = bytes;
    return status;
}

size_t image_ptx_head(const char *text, size_t bytes)
{
    struct ptx_text at;
    iptx_open(&at, text, bytes);
    const char *end = text;
    while (iptx_is(&at.token, ".version") || iptx_is(&at.token, ".target") ||
           iptx_is(&at.token, ".address_size")) {
        do {
            end = at.token.at + at.token.bytes;
            iptx_next(&at);
        } while (at.token.kind == PTX_NUMBER || at.token.kind == PTX_WORD ||
                 iptx_is_mark(&at.token, ','));
    }
    return (size_t)(end - text);
}
