/* SPDX-License-Identifier: Apache-2.0
 *
 * The head of a text and the items at its top.
 */
#include "ptx/read/reader.h"

#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "ptx/text/source.h"

/* ---- Tokens ---------------------------------------------------------------------------- */

bool ptx_accept(struct ptx_reader *reader, const char *what)
{
    if (!ptx_token_is(ptx_present(reader), what)) return false;
    ptx_next(reader);
    return true;
}

bool ptx_expect_mark(struct ptx_reader *reader, char mark)
{
    return ptx_accept_mark(reader, (unsigned char)mark) ||
           ptx_error(reader, "a '%c' is missing before this", mark);
}

bool ptx_skip_past(struct ptx_reader *reader, char mark)
{
    struct ptx_token begin = *ptx_present(reader);
    uint64_t depth = 0;
    for (; !ptx_at(reader, PTX_TOKEN_END); ptx_next(reader)) {
        if (!depth && ptx_accept_mark(reader, (unsigned char)mark)) return true;
        if (ptx_at_mark(reader, '{')) depth++;
        if (ptx_at_mark(reader, '}') && !depth--) break;
    }
    return ptx_error_at(reader, &begin, "the '%c' that ends this is missing", mark);
}

/* ---- The head -------------------------------------------------------------------------- */

/* Reads digits, "9.0" or the 90 of "sm_90a", and returns where they end. */
static uint32_t leading_digits(const char **at, const char *end)
{
    uint32_t value = 0;
    for (; *at < end && **at >= '0' && **at <= '9'; ++*at)
        if (value < 100000) value = value * 10 + (uint32_t)(**at - '0');
    return value;
}

static bool read_version(struct ptx_reader *reader)
{
    if (!ptx_accept(reader, ".version"))
        return ptx_error(reader, "PTX begins with a line such as '.version 9.0'");
    const struct ptx_token *token = ptx_present(reader);
    const char *at = token->at, *end = token->at + token->bytes;
    uint32_t major = leading_digits(&at, end);
    bool dot = token->kind == PTX_TOKEN_NUMBER && at < end && *at++ == '.' && at < end;
    uint32_t minor = leading_digits(&at, end);
    if (!dot || at != end) return ptx_error(reader, "a version such as 9.0 is missing");
    reader->module->version = major * 10 + minor;
    uint32_t newest = reader->limits->version;
    if (reader->module->version > newest || minor > 9)
        return ptx_error_status(reader, RILL_ERROR_UNSUPPORTED_PTX_VERSION, token,
                                "the newest PTX that is understood is %u.%u", newest / 10,
                                newest % 10);
    ptx_next(reader);
    return true;
}

/* Reads sm_90a, compute_90, or an option of the compiler. */
static bool read_target_word(struct ptx_reader *reader)
{
    static const char *const options[] = { "texmode_unified", "texmode_independent", "debug",
                                           "map_f64_to_f32" };
    const struct ptx_token *token = ptx_present(reader);
    if (token->kind != PTX_TOKEN_NAME)
        return ptx_error(reader, "the name of a target, such as sm_90, is missing");
    const char *at = token->at, *end = token->at + token->bytes;
    size_t prefix = token->bytes > 3 && !memcmp(at, "sm_", 3)        ? 3
                    : token->bytes > 8 && !memcmp(at, "compute_", 8) ? 8 : 0;
    if (prefix) {
        at += prefix;
        reader->module->target = leading_digits(&at, end);
        reader->module->suffix = at < end ? *at++ : 0;
    }
    bool known = prefix && at == end && reader->module->target &&
                 (!reader->module->suffix || strchr("af", reader->module->suffix));
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        known |= ptx_token_is(token, options[i]);
    reader->module->debug |= ptx_token_is(token, "debug");
    if (!known) return ptx_error(reader, "there is no such target");
    ptx_next(reader);
    return true;
}

static bool read_target(struct ptx_reader *reader)
{
    if (!ptx_accept(reader, ".target"))
        return ptx_error(reader, "behind the version stands a line such as '.target sm_90'");
    do {
        if (!read_target_word(reader)) return false;
    } while (ptx_accept_mark(reader, ','));
    return reader->module->target || ptx_error(reader, "the target has no name such as sm_90");
}

static bool read_address_size(struct ptx_reader *reader)
{
    uint64_t size;
    struct ptx_token token = *ptx_present(reader);
    if (!ptx_read_count(reader, 1000, "the size of an address", &size)) return false;
    return size == 64 || ptx_error_at(reader, &token, "addresses have 64 bits");
}

/* ---- The top --------------------------------------------------------------------------- */

static bool read_section(struct ptx_reader *reader)
{
    ptx_next(reader); /* its name, .debug_info or whatever */
    return ptx_expect_mark(reader, '{') && ptx_skip_past(reader, '}');
}

static bool read_function_name(struct ptx_reader *reader, struct ptx_name **name,
                               uint32_t *index)
{
    struct ptx_token token;
    if (!ptx_expect_name(reader, &token, name, "the name of a function")) return false;
    if (!(*name)->binding || (*name)->binding->kind != PTX_BOUND_FUNCTION)
        return ptx_error_at(reader, &token, "there is no such function");
    *index = (*name)->binding->index;
    return true;
}

/* Reads .alias NAME, FUNCTION; */
static bool read_alias(struct ptx_reader *reader)
{
    struct ptx_alias *alias = ptx_push(reader, &reader->aliases);
    struct ptx_name *name;
    if (!alias) return false;
    alias->place = ptx_present(reader)->place;
    return read_function_name(reader, &alias->name, &alias->from) &&
           ptx_expect_mark(reader, ',') && read_function_name(reader, &name, &alias->to) &&
           ptx_expect_mark(reader, ';');
}

static void read_linking(struct ptx_reader *reader, struct ptx_linking *linking)
{
    *linking = (struct ptx_linking){ .visible = false };
    for (;;)
        if (ptx_accept(reader, ".visible")) linking->visible = true;
        else if (ptx_accept(reader, ".extern")) linking->external = true;
        else if (ptx_accept(reader, ".weak")) linking->weak = true;
        else if (ptx_accept(reader, ".common")) linking->common = true;
        else return;
}

/* Reads .local variables of the module.  Each thread has its own, as PTX without a stack had
 * them at fixed places. */
static bool read_module_local(struct ptx_reader *reader, const struct ptx_linking *linking)
{
    if (reader->module->version >= 30)
        return ptx_error(reader, "from PTX 3.0 on .local variables belong to a function");
    return ptx_read_variables(reader, PTX_LOCAL, linking);
}

bool ptx_begins_top(const struct ptx_reader *reader)
{
    static const char *const words[] = {
        ".visible", ".extern", ".weak", ".common", ".entry", ".func", ".global", ".const",
        ".shared", ".local", ".tex", ".file", ".section", ".alias", ".address_size",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (ptx_token_is(ptx_present(reader), words[i])) return true;
    return false;
}

static bool read_top(struct ptx_reader *reader)
{
    struct ptx_linking linking;
    read_linking(reader, &linking);
    if (ptx_accept(reader, ".entry")) return ptx_read_function(reader, true, &linking);
    if (ptx_accept(reader, ".func")) return ptx_read_function(reader, false, &linking);
    if (ptx_accept(reader, ".global")) return ptx_read_variables(reader, PTX_GLOBAL, &linking);
    if (ptx_accept(reader, ".const")) return ptx_read_variables(reader, PTX_CONST, &linking);
    if (ptx_accept(reader, ".shared")) return ptx_read_variables(reader, PTX_SHARED, &linking);
    if (ptx_accept(reader, ".local")) return read_module_local(reader, &linking);
    if (ptx_accept(reader, ".tex")) return ptx_read_textures(reader, &linking);
    if (ptx_accept(reader, ".file")) return ptx_read_file(reader);
    if (ptx_accept(reader, ".section")) return read_section(reader);
    if (ptx_accept(reader, ".pragma")) return ptx_skip_past(reader, ';');
    if (ptx_accept(reader, ".alias")) return read_alias(reader);
    if (ptx_accept(reader, ".address_size")) return read_address_size(reader);
    return ptx_error(reader, "this is nothing that a module is made of");
}

/* ---- The whole ------------------------------------------------------------------------- */

/* Resolves an alias: a declared name for another function. */
static bool resolve_alias(struct ptx_reader *reader, const struct ptx_alias *alias)
{
    struct ptx_function *functions = reader->functions.items, *from = &functions[alias->from];
    struct ptx_function whole = functions[alias->to];
    const char *wrong = from->entry     ? "this is a kernel, which is no alias"
                        : from->defined ? "this has a body of its own and is no alias"
                        : whole.entry   ? "there is no alias of a kernel"
                                        : NULL;
    if (wrong) return ptx_error_name(reader, &alias->place, alias->name, "%s", wrong);
    whole.name = from->name;
    whole.place = from->place;
    whole.visible = from->visible;
    whole.weak = from->weak;
    whole.external = false;
    whole.alias = true;
    *from = whole;
    return true;
}

static bool resolve_aliases(struct ptx_reader *reader)
{
    const struct ptx_alias *aliases = reader->aliases.items;
    for (uint32_t i = 0; i < reader->aliases.count; i++)
        if (!resolve_alias(reader, &aliases[i])) return false;
    return true;
}

static bool read_module(struct ptx_reader *reader, const char *text, size_t bytes)
{
    struct ptx_module *module = reader->module;
    ptx_lexer_open(&reader->lexer, text, bytes);
    if (!read_version(reader) || !read_target(reader)) return false;
    while (!ptx_at(reader, PTX_TOKEN_END))
        if (!read_top(reader)) return false;
    return resolve_aliases(reader) &&
           ptx_pop_from(reader, &reader->variables, 0, &module->variables,
                        &module->variable_count) &&
           ptx_pop_from(reader, &reader->functions, 0, &module->functions,
                        &module->function_count) &&
           ptx_take_source(reader) &&
           (ptx_index_variables(module) || ptx_short_of_memory(reader, reader->arena));
}

static void begin_reading(struct ptx_reader *reader)
{
    reader->variables.size = sizeof(struct ptx_variable);
    reader->functions.size = sizeof(struct ptx_function);
    reader->aliases.size = sizeof(struct ptx_alias);
    reader->files.size = sizeof(struct ptx_source_file);
    reader->locations.size = sizeof(struct ptx_location);
    reader->registers.size = sizeof(struct ptx_register);
    reader->locals.size = sizeof(struct ptx_variable);
    reader->labels.size = sizeof(struct ptx_label);
    reader->tables.size = sizeof(struct ptx_table);
    reader->instructions.size = sizeof(struct ptx_instruction);
    reader->operands.size = sizeof(struct ptx_operand);
    reader->items.size = sizeof(uint32_t);
    reader->awaited.size = sizeof(struct ptx_name *);
    reader->forwards.size = sizeof(struct ptx_forward);
    reader->links.size = sizeof(struct ptx_link);
}

static void end_reading(struct ptx_reader *reader)
{
    const struct ptx_stack *stacks[] = {
        &reader->variables, &reader->functions, &reader->aliases, &reader->files,
        &reader->locations, &reader->registers, &reader->locals, &reader->labels,
        &reader->tables, &reader->instructions, &reader->operands, &reader->items,
        &reader->awaited, &reader->forwards, &reader->links,
    };
    for (size_t i = 0; i < sizeof stacks / sizeof *stacks; i++) rl_free(stacks[i]->items);
    rl_free(reader->names);
    ptx_arena_close(reader->scratch);
}

/* Derives a seed from where things lie in memory, which differs each time that a program
 * runs. */
static uint64_t seed_of(const struct ptx_reader *reader)
{
    uint64_t stack = (uintptr_t)reader->limits >> 4, heap = (uintptr_t)reader->module >> 4;
    return stack * UINT64_C(0x9e3779b97f4a7c15) ^ heap * UINT64_C(0xc2b2ae3d27d4eb4f);
}

static rill_status read_with(struct ptx_reader *reader, const char *text, size_t bytes)
{
    begin_reading(reader);
    if (reader->scratch && reader->module) {
        reader->module->seed = seed_of(reader);
        reader->module->arena = reader->arena;
        reader->module->address_bits = 64;
        read_module(reader, text, bytes);
    } else {
        ptx_no_memory(reader);
    }
    end_reading(reader);
    return reader->refusal->status;
}

rill_status ptx_read(const char *text, size_t bytes, const struct ptx_limits *limits,
                     struct ptx_module **module, struct ptx_refusal *refusal)
{
    struct ptx_limits all = ptx_limits_of(limits);
    *refusal = (struct ptx_refusal){ .status = RILL_SUCCESS };
    *module = NULL;
    if (bytes > all.text_bytes) {
        refusal->status = RILL_ERROR_OUT_OF_MEMORY;
        snprintf(refusal->message, sizeof refusal->message,
                 "the text has %zu bytes, and no more than %zu are read", bytes, all.text_bytes);
        return refusal->status;
    }
    struct ptx_reader *reader = rl_zalloc(sizeof *reader); /* too large for small stacks */
    if (!reader) {
        snprintf(refusal->message, sizeof refusal->message, "no memory to read the text");
        return refusal->status = RILL_ERROR_OUT_OF_MEMORY;
    }
    reader->limits = &all;
    reader->refusal = refusal;
    reader->arena = ptx_arena_open(all.module_bytes);
    reader->scratch = ptx_arena_open(all.module_bytes);
    if (reader->arena) reader->module = ptx_arena_get(reader->arena, sizeof *reader->module);
    rill_status status = read_with(reader, text, bytes);
    if (status) ptx_arena_close(reader->arena);
    else *module = reader->module;
    rl_free(reader);
    return status;
}
