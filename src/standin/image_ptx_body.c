/* SPDX-License-Identifier: Apache-2.0
 *
 * Bodies of functions.  Nothing is done with instructions but to see that they are some:
 * a name that no instruction has is the commonest mistake of text that was not made by a
 * compiler, and the driver refuses it.
 */
#include "standin/image_ptx.h"

#include <stdlib.h>
#include <string.h>

/* ---- Instructions, sorted ----------------------------------------------------------- */

static const char instructions[][20] = {
    "abs", "activemask", "add", "addc", "alloca", "and", "applypriority", "atom", "bar",
    "barrier", "bfe", "bfi", "bfind", "bmsk", "bra", "brev", "brkpt", "brx", "call",
    "clusterlaunchcontrol", "clz", "cnot", "copysign", "cos", "cp", "createpolicy", "cvt",
    "cvta", "discard", "div", "dp2a", "dp4a", "elect", "ex2", "exit", "fence", "fma", "fns",
    "getctarank", "griddepcontrol", "isspacep", "istypep", "ld", "ldmatrix", "ldu", "lg2",
    "lop3", "mad", "mad24", "madc", "mapa", "match", "max", "mbarrier", "membar", "min", "mma",
    "mov", "movmatrix", "mul", "mul24", "multimem", "nanosleep", "neg", "not", "or", "pmevent",
    "popc", "prefetch", "prefetchu", "prmt", "rcp", "red", "redux", "rem", "ret", "rsqrt", "sad",
    "selp", "set", "setmaxnreg", "setp", "shf", "shfl", "shl", "shr", "sin", "slct", "sqrt", "st",
    "stackrestore", "stacksave", "stmatrix", "sub", "subc", "suld", "suq", "sured", "sust",
    "szext", "tanh", "tcgen05", "tensormap", "testp", "tex", "tld4", "trap", "txq", "vabsdiff",
    "vabsdiff2", "vabsdiff4", "vadd", "vadd2", "vadd4", "vavrg2", "vavrg4", "vmad", "vmax",
    "vmax2", "vmax4", "vmin", "vmin2", "vmin4", "vote", "vset", "vset2", "vset4", "vshl", "vshr",
    "vsub", "vsub2", "vsub4", "wgmma", "wmma", "xor",
};

static int compare_instruction(const void *key, const void *member)
{
    const struct ptx_token *token = key;
    const char *instruction = member;
    size_t bytes = strnlen(instruction, sizeof instructions[0]);
    int order = memcmp(token->at, instruction, token->bytes < bytes ? token->bytes : bytes);
    if (order) return order;
    return token->bytes < bytes ? -1 : token->bytes > bytes;
}

static bool is_instruction(const struct ptx_token *token)
{
    return bsearch(token, instructions, sizeof instructions / sizeof *instructions,
                   sizeof *instructions, compare_instruction) != NULL;
}

/* ---- Statements --------------------------------------------------------------------- */

/* Shared memory of the whole module counts for the kernels that name it. */
static void count_shared(struct ptx *ptx, uint32_t entry, const struct ptx_token *token)
{
    if (entry == PTX_NO_ENTRY || token->kind != PTX_WORD) return;
    struct ptx_name *name = iptx_find(&ptx->names, token);
    if (!name || name->thing != PTX_THING_SHARED || name->counted == entry) return;
    name->counted = entry;
    iptx_add_shared(&ptx->reader->image->entries[entry], name->size, name->alignment);
}

/* What follows an instruction or a directive, with the semicolon. */
static rill_status skip_statement(struct ptx *ptx, uint32_t entry)
{
    struct ptx_text *text = &ptx->text;
    for (uint32_t depth = 0; text->token.kind != PTX_END; iptx_next(text)) {
        if (!depth && iptx_accept_mark(text, ';')) return RILL_SUCCESS;
        if (iptx_is_mark(&text->token, '{')) {
            depth++;
        } else if (iptx_is_mark(&text->token, '}')) {
            if (!depth--) break;
        } else {
            count_shared(ptx, entry, &text->token);
        }
    }
    return iptx_expect(ptx, ';');
}

/* .loc FILE LINE COLUMN [, function_name NAME [+ N] [, inlined_at FILE LINE COLUMN]]: ends
 * without a mark, so where the next statement begins. */
static void skip_location(struct ptx_text *text)
{
    while (text->token.kind == PTX_NUMBER) iptx_next(text);
    while (iptx_accept_mark(text, ',')) {
        iptx_next(text); /* function_name or inlined_at */
        if (text->token.kind == PTX_WORD) iptx_next(text);
        while (text->token.kind == PTX_NUMBER || iptx_is_mark(&text->token, '+')) iptx_next(text);
    }
}

static rill_status read_directive(struct ptx *ptx, uint32_t entry)
{
    static const char *const plain[] = { ".reg", ".local", ".param", ".pragma", ".branchtargets",
                                         ".calltargets", ".callprototype", ".global", ".const" };
    struct ptx_text *text = &ptx->text;
    if (iptx_accept(text, ".loc")) {
        skip_location(text);
        return RILL_SUCCESS;
    }
    if (iptx_accept(text, ".shared"))
        return entry == PTX_NO_ENTRY ? skip_statement(ptx, entry)
                                     : iptx_shared(ptx, &ptx->reader->image->entries[entry]);
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (iptx_is(&text->token, plain[i])) return skip_statement(ptx, entry);
    return iptx_wrong(ptx, "this is nothing that a function is made of");
}

/* [@[!]PREDICATE] INSTRUCTION OPERANDS; or a label. */
static rill_status read_instruction(struct ptx *ptx, uint32_t entry)
{
    struct ptx_text *text = &ptx->text;
    bool guarded = iptx_accept_mark(text, '@');
    if (guarded) {
        iptx_accept_mark(text, '!');
        if (text->token.kind != PTX_WORD) return iptx_wrong(ptx, "a predicate is missing");
        iptx_next(text);
    }
    if (text->token.kind != PTX_WORD) return iptx_wrong(ptx, "an instruction is missing");
    struct ptx_text before = *text;
    iptx_next(text);
    if (!guarded && iptx_accept_mark(text, ':')) return RILL_SUCCESS;
    if (!is_instruction(&before.token)) {
        *text = before;
        return iptx_wrong(ptx, "there is no such instruction");
    }
    if (entry != PTX_NO_ENTRY && !iptx_is(&before.token, "ret") && !iptx_is(&before.token, "exit"))
        ptx->reader->image->entries[entry].empty = false;
    return skip_statement(ptx, entry);
}

rill_status iptx_body(struct ptx *ptx, uint32_t entry)
{
    struct ptx_text *text = &ptx->text;
    rill_status status = RILL_SUCCESS;
    for (uint32_t depth = 1; !status && depth;) {
        if (iptx_accept_mark(text, '{')) depth++;
        else if (iptx_accept_mark(text, '}')) depth--;
        else if (iptx_accept_mark(text, ';')) continue;
        else if (text->token.kind == PTX_DIRECTIVE) status = read_directive(ptx, entry);
        else status = read_instruction(ptx, entry);
    }
    return status;
}
