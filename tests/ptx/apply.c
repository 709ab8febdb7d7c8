/* SPDX-License-Identifier: Apache-2.0
 *
 * A module around a few instructions, and its run over rows of operands.
 */
#include "machine.h"

#include <stdio.h>

/* An operand: %d, %a, %b or %c. */
struct operand {
    char name;
    char type[8];
    unsigned bytes; /* in memory */
};

static unsigned type_bytes(const char *type)
{
    if (!strcmp(type, "pred")) return 1;
    if (!strcmp(type, "bf16")) return 2;
    if (strchr(type, 'x')) return 4;
    unsigned bits = (unsigned)atoi(type + 1);
    if (!bits || bits % 8) fail_msg("no type: %s", type);
    return bits / 8;
}

static unsigned parse(const char *types, struct operand operands[4])
{
    static const char names[] = "dabc";
    unsigned count = 0;
    for (const char *at = types; *at; count++) {
        size_t length = strcspn(at, " ");
        assert_true(count < 4 && length < sizeof operands->type);
        operands[count].name = names[count];
        memcpy(operands[count].type, at, length);
        operands[count].type[length] = '\0';
        operands[count].bytes = type_bytes(operands[count].type);
        at += length + (at[length] == ' ');
    }
    return count;
}

/* What a register of the type is declared as, and what it is loaded and stored as. */
static const char *register_type(const struct operand *operand)
{
    if (operand->bytes == 1 && strcmp(operand->type, "pred")) return "b16";
    if (operand->bytes == 2) return "b16";
    return strchr(operand->type, 'x') ? "b32" : operand->type;
}

static const char *memory_type(const struct operand *operand)
{
    if (!strcmp(operand->type, "pred")) return "u8";
    if (operand->bytes == 2) return "b16";
    return strchr(operand->type, 'x') ? "b32" : operand->type;
}

static void write_address(FILE *to, const struct operand *operand)
{
    fprintf(to, "\tld.param.u64 %%at, [apply_%c];\n", operand->name);
    fprintf(to, "\tmad.wide.u32 %%at, %%index, %u, %%at;\n", operand->bytes);
}

static void write_load(FILE *to, const struct operand *operand)
{
    write_address(to, operand);
    if (!strcmp(operand->type, "pred"))
        fprintf(to, "\tld.global.u8 %%narrow, [%%at];\n\tsetp.ne.s16 %%%c, %%narrow, 0;\n",
                operand->name);
    else
        fprintf(to, "\tld.global.%s %%%c, [%%at];\n", memory_type(operand), operand->name);
}

static void write_store(FILE *to, const struct operand *operand)
{
    write_address(to, operand);
    if (!strcmp(operand->type, "pred"))
        fprintf(to, "\tselp.u16 %%narrow, 1, 0, %%%c;\n\tst.global.u8 [%%at], %%narrow;\n",
                operand->name);
    else
        fprintf(to, "\tst.global.%s [%%at], %%%c;\n", memory_type(operand), operand->name);
}

char *machine_apply_text(const char *instructions, const char *types, const char *target)
{
    struct operand operands[4];
    unsigned count = parse(types, operands);
    char *text = NULL;
    size_t bytes;
    FILE *to = open_memstream(&text, &bytes);
    if (!to) abort();
    fprintf(to, ".version 8.8\n.target %s\n.address_size 64\n", target);
    fputs(".visible .entry apply(.param .u64 apply_d, .param .u64 apply_a,\n"
          "\t.param .u64 apply_b, .param .u64 apply_c, .param .u32 apply_count)\n{\n"
          "\t.reg .pred %p<10>, %past;\n\t.reg .b16 %h<10>, %narrow;\n\t.reg .b32 %r<10>;\n"
          "\t.reg .b64 %l<10>, %at;\n\t.reg .f32 %f<10>;\n\t.reg .f64 %e<10>;\n"
          "\t.reg .b32 %index, %first, %size, %count;\n", to);
    for (unsigned i = 0; i < count; i++)
        fprintf(to, "\t.reg .%s %%%c;\n", register_type(&operands[i]), operands[i].name);
    fputs("\tmov.u32 %first, %ctaid.x;\n\tmov.u32 %size, %ntid.x;\n\tmov.u32 %index, %tid.x;\n"
          "\tmad.lo.u32 %index, %first, %size, %index;\n\tld.param.u32 %count, [apply_count];\n"
          "\tsetp.ge.u32 %past, %index, %count;\n\t@%past bra DONE;\n", to);
    for (unsigned i = 1; i < count; i++) write_load(to, &operands[i]);
    fprintf(to, "\t%s\n", instructions);
    write_store(to, &operands[0]);
    fputs("DONE:\n\tret;\n}\n", to);
    fclose(to);
    return text;
}

void machine_apply(const char *instructions, const char *types, size_t count, void *d,
                   const void *a, const void *b, const void *c)
{
    struct operand operands[4];
    unsigned operand_count = parse(types, operands);
    struct machine *machine = machine_open();
    char *text = machine_apply_text(instructions, types, "sm_100");
    machine_load(machine, text);
    free(text);

    struct {
        void *memory[4];
        uint32_t count;
    } params = { { NULL }, (uint32_t)count };
    const void *from[4] = { d, a, b, c };
    for (unsigned i = 0; i < operand_count; i++) {
        params.memory[i] = machine_memory(machine, count * operands[i].bytes);
        memcpy(params.memory[i], from[i], count * operands[i].bytes);
    }
    struct machine_shape shape = { .grid = { (uint32_t)((count + 127) / 128) },
                                   .block = { 128 } };
    machine_run(machine, "apply", &shape, &params, sizeof params);
    memcpy(d, params.memory[0], count * operands[0].bytes);
    machine_close(machine);
}
