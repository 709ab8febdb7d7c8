/* SPDX-License-Identifier: Apache-2.0
 *
 * Bodies of functions: scopes, labels, tables of labels, and what is declared within.
 */
#include "ptx/read/reader.h"

/* ---- Tables ---------------------------------------------------------------------------- */

/* Awaits the labels of a table.  Its items have their places only once the table is in the
 * module's memory. */
static bool await_items(struct ptx_reader *reader, struct ptx_table *table,
                        const struct ptx_forward *forwards)
{
    for (uint32_t i = 0; i < table->count; i++) {
        struct ptx_forward forward = forwards[i];
        forward.index = &table->items[i];
        if (!ptx_await(reader, &forward)) return false;
    }
    return true;
}

/* Reads LABEL, LABEL, ...; */
static bool read_targets(struct ptx_reader *reader, struct ptx_table *table)
{
    struct ptx_stack *stack = &reader->forwards;
    struct ptx_token token;
    struct ptx_name *name;
    do {
        if (!ptx_expect_name(reader, &token, &name, "a label")) return false;
        struct ptx_forward *forward = ptx_push(reader, stack);
        if (!forward) return false;
        forward->name = name;
        forward->place = token.place;
    } while (ptx_accept_mark(reader, ','));
    table->count = stack->count;
    stack->count = 0;
    table->items = ptx_get(reader, table->count * sizeof *table->items);
    return table->items && await_items(reader, table, stack->items) &&
           ptx_expect_mark(reader, ';');
}

/* Reads FUNCTION, FUNCTION, ...; */
static bool read_functions(struct ptx_reader *reader, struct ptx_table *table)
{
    struct ptx_token token;
    struct ptx_name *name;
    uint32_t *item;
    do {
        if (!ptx_expect_name(reader, &token, &name, "a function")) return false;
        if (!name->binding || name->binding->kind != PTX_BOUND_FUNCTION)
            return ptx_error_at(reader, &token, "no function of this name stands before this");
        if (!(item = ptx_push(reader, &reader->items))) return false;
        *item = name->binding->index;
    } while (ptx_accept_mark(reader, ','));
    return ptx_pop_from(reader, &reader->items, 0, &table->items, &table->count) &&
           ptx_expect_mark(reader, ';');
}

/* Reads one of the three directives after "NAME:". */
static bool read_table(struct ptx_reader *reader, const struct ptx_token *token,
                       struct ptx_name *name)
{
    struct ptx_table table = { .place = token->place };
    struct ptx_token directive = *ptx_present(reader);
    struct ptx_table *added = ptx_push(reader, &reader->tables);
    if (!added || !(table.name = ptx_copy_name(reader, name)) ||
        !ptx_bind(reader, token, name, PTX_BOUND_TABLE, reader->tables.count - 1))
        return false;
    ptx_next(reader);
    table.labels = ptx_token_is(&directive, ".branchtargets");
    bool read;
    if (table.labels) read = read_targets(reader, &table);
    else if (ptx_token_is(&directive, ".calltargets")) read = read_functions(reader, &table);
    else read = ptx_read_prototype(reader, &table.prototype);
    *added = table;
    return read;
}

static bool at_table(const struct ptx_reader *reader)
{
    const struct ptx_token *token = ptx_present(reader);
    return token->kind == PTX_TOKEN_DOTTED &&
           (ptx_token_is(token, ".branchtargets") || ptx_token_is(token, ".calltargets") ||
            ptx_token_is(token, ".callprototype"));
}

/* ---- Labels ---------------------------------------------------------------------------- */

static bool add_label(struct ptx_reader *reader, const struct ptx_token *token,
                      struct ptx_name *name)
{
    struct ptx_label *label = ptx_push(reader, &reader->labels);
    if (!label) return false;
    label->name = ptx_copy_name(reader, name);
    label->place = token->place;
    label->at = reader->instructions.count;
    return label->name &&
           ptx_bind(reader, token, name, PTX_BOUND_LABEL, reader->labels.count - 1);
}

/* ---- Statements ------------------------------------------------------------------------ */

static bool read_directive(struct ptx_reader *reader)
{
    static const struct ptx_linking plain = { .visible = false };
    if (ptx_accept(reader, ".loc")) return ptx_read_location(reader);
    if (ptx_accept(reader, ".reg")) return ptx_read_registers(reader);
    if (ptx_accept(reader, ".param")) return ptx_read_locals(reader, PTX_PARAM);
    if (ptx_accept(reader, ".local")) return ptx_read_locals(reader, PTX_LOCAL);
    if (ptx_accept(reader, ".shared")) return ptx_read_locals(reader, PTX_SHARED);
    if (ptx_accept(reader, ".global")) return ptx_read_variables(reader, PTX_GLOBAL, &plain);
    if (ptx_accept(reader, ".const")) return ptx_read_variables(reader, PTX_CONST, &plain);
    if (ptx_accept(reader, ".pragma")) return ptx_skip_past(reader, ';');
    return ptx_error(reader, "this is nothing that a function is made of");
}

/* Reads @p or @!p. */
static bool read_guard(struct ptx_reader *reader, uint32_t *guard, bool *negated)
{
    struct ptx_token token;
    struct ptx_name *name;
    struct ptx_binding *binding;
    *negated = ptx_accept_mark(reader, '!');
    if (!ptx_expect_name(reader, &token, &name, "a predicate") ||
        !ptx_resolve(reader, name, &binding))
        return false;
    if (!binding || binding->kind != PTX_BOUND_REGISTER || binding->type != PTX_PRED)
        return ptx_error_at(reader, &token, "this is no predicate: declare it with .reg .pred");
    *guard = binding->index;
    return true;
}

/* Reads [@[!]PREDICATE] INSTRUCTION OPERANDS; or LABEL: or a table with its name. */
static bool read_statement(struct ptx_reader *reader)
{
    struct ptx_place place = ptx_present(reader)->place;
    struct ptx_token token;
    struct ptx_name *name;
    uint32_t guard = PTX_NONE;
    bool negated = false, guarded = ptx_accept_mark(reader, '@');
    if (guarded && !read_guard(reader, &guard, &negated)) return false;
    if (!ptx_expect_name(reader, &token, &name, "an instruction")) return false;
    if (!guarded && ptx_accept_mark(reader, ':'))
        return at_table(reader) ? read_table(reader, &token, name)
                                : add_label(reader, &token, name);
    return ptx_read_instruction(reader, &token, name, guard, negated, &place);
}

bool ptx_read_body(struct ptx_reader *reader)
{
    for (uint32_t open = 1; open;) {
        bool read = true;
        if (ptx_at_mark(reader, '{')) {
            read = ptx_open_scope(reader);
            if (read) ptx_next(reader);
            open++;
        } else if (ptx_at_mark(reader, '}')) {
            read = ptx_close_scope(reader);
            if (read) ptx_next(reader);
            open--;
        } else if (ptx_at(reader, PTX_TOKEN_DOTTED)) {
            read = read_directive(reader);
        } else {
            read = read_statement(reader);
        }
        if (!read) return false;
    }
    return true;
}
