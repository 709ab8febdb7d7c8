/* SPDX-License-Identifier: Apache-2.0
 *
 * Names and scopes.  A name is looked up once for each time that it stands in the text;
 * its bindings are a stack of scopes, and closing a scope costs what was bound in it.
 */
#include "ptx/read/reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "ptx/text/special_registers.h"

/* ---- The table ------------------------------------------------------------------------- */

/* Finds the slot where a name is, or belongs. */
static struct ptx_name **slot_of_name(struct ptx_name **names, uint32_t room, uint32_t hash,
                                      const char *at, uint32_t bytes)
{
    uint32_t slot = hash & (room - 1);
    while (names[slot] && (names[slot]->hash != hash || names[slot]->bytes != bytes ||
                           memcmp(names[slot]->at, at, bytes) != 0))
        slot = (slot + 1) & (room - 1);
    return &names[slot];
}

static bool widen_names(struct ptx_reader *reader)
{
    uint32_t room = reader->name_room ? reader->name_room * 2 : 512;
    struct ptx_name **wider = rl_zalloc(room * sizeof *wider);
    if (!wider) return ptx_no_memory(reader);
    for (uint32_t i = 0; i < reader->name_room; i++) {
        struct ptx_name *name = reader->names[i];
        if (name) *slot_of_name(wider, room, name->hash, name->at, name->bytes) = name;
    }
    rl_free(reader->names);
    reader->names = wider;
    reader->name_room = room;
    return true;
}

static struct ptx_name *intern_name(struct ptx_reader *reader, const char *at, uint32_t bytes)
{
    if (reader->name_count >= reader->name_room / 2 && !widen_names(reader)) return NULL;
    uint32_t hash = ptx_hash(reader->module->seed, at, bytes);
    struct ptx_name **place = slot_of_name(reader->names, reader->name_room, hash, at, bytes);
    if (*place) return *place;
    struct ptx_name *name = ptx_get_scratch(reader, sizeof *name);
    if (!name) return NULL;
    *name = (struct ptx_name){ .at = at, .bytes = bytes, .hash = hash };
    reader->name_count++;
    return *place = name;
}

struct ptx_name *ptx_intern(struct ptx_reader *reader, const struct ptx_token *token)
{
    return intern_name(reader, token->at, token->bytes);
}

bool ptx_expect_name(struct ptx_reader *reader, struct ptx_token *token, struct ptx_name **name,
                     const char *what)
{
    if (!ptx_at(reader, PTX_TOKEN_NAME)) return ptx_error(reader, "%s is missing", what);
    *token = *ptx_present(reader);
    *name = ptx_intern(reader, token);
    if (!*name) return false;
    ptx_next(reader);
    return true;
}

struct ptx_name *ptx_number_name(struct ptx_reader *reader, const struct ptx_name *name,
                                 uint32_t number)
{
    char digits[12];
    size_t more = (size_t)snprintf(digits, sizeof digits, "%" PRIu32, number);
    char *text = ptx_get_scratch(reader, name->bytes + more);
    if (!text) return NULL;
    memcpy(text, name->at, name->bytes);
    memcpy(text + name->bytes, digits, more);
    return intern_name(reader, text, name->bytes + (uint32_t)more);
}

/* ---- What a word means ----------------------------------------------------------------- */

static enum ptx_sense find_dotted(struct ptx_name *name)
{
    const char *word = name->at + 1;
    size_t bytes = name->bytes - 1;
    enum ptx_type type;
    enum ptx_space space;
    enum ptx_modifier modifier;
    struct ptx_shape shape;
    if (ptx_find_type(word, bytes, &type)) {
        name->value = (uint8_t)type;
        return PTX_SENSE_TYPE;
    }
    if (ptx_find_space(word, bytes, &space)) {
        name->value = (uint8_t)space;
        return PTX_SENSE_SPACE;
    }
    if (ptx_find_shape(word, bytes, &shape)) return PTX_SENSE_SHAPE;
    if (!ptx_find_modifier(word, bytes, &modifier)) return PTX_SENSE_NONE;
    name->value = (uint8_t)modifier;
    return PTX_SENSE_MODIFIER;
}

static enum ptx_sense find_plain(struct ptx_name *name)
{
    enum ptx_opcode opcode;
    if (*name->at == '%')
        return ptx_find_special(name->at, name->bytes, &name->special) ? PTX_SENSE_SPECIAL
                                                                       : PTX_SENSE_NONE;
    if (!ptx_find_opcode(name->at, name->bytes, &opcode)) return PTX_SENSE_NONE;
    name->value = (uint8_t)opcode;
    return PTX_SENSE_OPCODE;
}

enum ptx_sense ptx_sense_of(struct ptx_name *name)
{
    if (name->sense == PTX_SENSE_UNKNOWN)
        name->sense = (uint8_t)(*name->at == '.' ? find_dotted(name) : find_plain(name));
    return (enum ptx_sense)name->sense;
}

/* ---- Bindings -------------------------------------------------------------------------- */

static struct ptx_binding *bind_name(struct ptx_reader *reader, struct ptx_name *name,
                                     enum ptx_bound kind, uint32_t index, uint32_t depth)
{
    struct ptx_binding *binding = ptx_get_scratch(reader, sizeof *binding);
    if (!binding) return NULL;
    struct ptx_scope *scope = &reader->scopes[depth];
    struct ptx_binding **place = &name->binding;
    while (*place && (*place)->depth > depth) place = &(*place)->outer;
    *binding = (struct ptx_binding){ .kind = kind, .index = index, .depth = depth, .name = name,
                                     .outer = *place, .next = scope->bindings };
    scope->bindings = binding;
    if (kind == PTX_BOUND_RANGE) scope->has_ranges = true;
    return *place = binding;
}

/* Splits "%r12" into "%r" and 12.  Returns false without digits, without letters, or with too
 * many digits. */
static bool split_range_name(const struct ptx_name *name, uint32_t *prefix, uint32_t *number)
{
    uint32_t from = name->bytes;
    uint64_t sum = 0;
    while (from && name->at[from - 1] >= '0' && name->at[from - 1] <= '9') from--;
    if (!from || from == name->bytes || name->bytes - from > 10) return false;
    for (uint32_t i = from; i < name->bytes; i++)
        sum = sum * 10 + (uint32_t)(name->at[i] - '0');
    *prefix = from;
    *number = (uint32_t)sum;
    return sum < UINT32_MAX;
}

/* Finds the innermost range with the name, unless the name itself is bound further inside.
 * *prefix is the length of the range's name, *number that of the register. */
static bool find_range(struct ptx_reader *reader, const struct ptx_name *name,
                       struct ptx_binding **range, uint32_t *prefix, uint32_t *number)
{
    uint32_t least = name->binding ? name->binding->depth + 1 : 1;
    uint32_t depth = reader->depth;
    *range = NULL;
    while (depth >= least && !reader->scopes[depth].has_ranges) depth--;
    if (depth < least || !split_range_name(name, prefix, number)) return true;
    struct ptx_name *word = intern_name(reader, name->at, *prefix);
    if (!word) return false;
    for (struct ptx_binding *found = word->binding; found; found = found->outer)
        if (found->kind == PTX_BOUND_RANGE && found->depth >= least && *number < found->length) {
            *range = found;
            break;
        }
    return true;
}

/* Returns "%r3" for "%r03", which is the same register, or NULL if refused. */
static struct ptx_name *without_zeros(struct ptx_reader *reader, struct ptx_name *name,
                                      uint32_t prefix)
{
    uint32_t zeros = 0;
    while (name->at[prefix + zeros] == '0' && prefix + zeros + 1 < name->bytes) zeros++;
    if (!zeros) return name;
    char *text = ptx_get_scratch(reader, name->bytes - zeros);
    if (!text) return NULL;
    memcpy(text, name->at, prefix);
    memcpy(text + prefix, name->at + prefix + zeros, name->bytes - prefix - zeros);
    return intern_name(reader, text, name->bytes - zeros);
}

bool ptx_resolve(struct ptx_reader *reader, struct ptx_name *name, struct ptx_binding **binding)
{
    struct ptx_binding *range;
    uint32_t prefix, number, index;
    *binding = name->binding;
    if (*binding && (*binding)->depth == reader->depth) return true;
    if (!find_range(reader, name, &range, &prefix, &number)) return false;
    if (!range) return true;
    name = without_zeros(reader, name, prefix);
    if (!name) return false;
    *binding = name->binding;
    if (*binding && (*binding)->depth >= range->depth) return true;
    if (!ptx_add_register(reader, name, range->type, range->vector, &index)) return false;
    *binding = bind_name(reader, name, PTX_BOUND_REGISTER, index, range->depth);
    if (!*binding) return false;
    (*binding)->type = range->type;
    (*binding)->length = range->vector;
    return true;
}

/* Returns true unless a register and a range would both have the name. */
static bool is_free(struct ptx_reader *reader, struct ptx_name *name)
{
    struct ptx_binding *range;
    uint32_t prefix, number;
    if (name->binding && name->binding->depth == reader->depth) return false;
    return find_range(reader, name, &range, &prefix, &number) &&
           (!range || range->depth != reader->depth);
}

struct ptx_binding *ptx_bind(struct ptx_reader *reader, const struct ptx_token *token,
                             struct ptx_name *name, enum ptx_bound kind, uint32_t index)
{
    if (is_free(reader, name)) return bind_name(reader, name, kind, index, reader->depth);
    ptx_error_at(reader, token, "there is one of this name already");
    return NULL;
}

/* ---- Scopes ---------------------------------------------------------------------------- */

bool ptx_open_scope(struct ptx_reader *reader)
{
    if (reader->depth + 1 == PTX_SCOPES)
        return ptx_error(reader, "braces are within braces more than %d times", PTX_SCOPES - 1);
    struct ptx_scope *scope = &reader->scopes[++reader->depth];
    *scope = (struct ptx_scope){ .bindings = NULL };
    return true;
}

bool ptx_await(struct ptx_reader *reader, const struct ptx_forward *forward)
{
    struct ptx_forward *copy = ptx_get_scratch(reader, sizeof *copy);
    if (!copy) return false;
    struct ptx_scope *scope = &reader->scopes[reader->depth];
    *copy = *forward;
    copy->next = NULL;
    if (scope->first) *scope->last = copy;
    else scope->first = copy;
    scope->last = &copy->next;
    return true;
}

/* Settles the labels that this scope has; the others wait for the scope around it. */
static bool settle_all(struct ptx_reader *reader)
{
    struct ptx_forward *next, *forward = reader->scopes[reader->depth].first;
    struct ptx_scope *around = &reader->scopes[reader->depth - 1];
    for (; forward; forward = next) {
        const struct ptx_binding *binding = forward->name->binding;
        next = forward->next;
        bool here = binding && binding->depth == reader->depth;
        if (here && binding->kind == PTX_BOUND_LABEL) {
            *forward->index = binding->index;
        } else if (here) {
            return ptx_error_name(reader, &forward->place, forward->name,
                                  "a label is meant here, and this is something else");
        } else if (reader->depth == 1) {
            return ptx_error_name(reader, &forward->place, forward->name,
                                  "no label has this name here, nor around here");
        } else {
            forward->next = NULL;
            if (around->first) *around->last = forward;
            else around->first = forward;
            around->last = &forward->next;
        }
    }
    return true;
}

bool ptx_close_scope(struct ptx_reader *reader)
{
    struct ptx_scope *scope = &reader->scopes[reader->depth];
    if (!settle_all(reader)) return false;
    for (struct ptx_binding *binding = scope->bindings; binding; binding = binding->next)
        binding->name->binding = binding->outer;
    reader->depth--;
    return true;
}
