/* SPDX-License-Identifier: Apache-2.0
 *
 * From forms of wgmma to their texts and their operands. */
#include "ptx/answers/groups.h"
#include "ptx/answers/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Texts -------------------------------------------------------------------------------- */

static void write_list(FILE *to, char name, unsigned count)
{
    for (unsigned i = 0; i < count; i++) fprintf(to, "%s%%%c%u", i ? "," : "{", name, i);
    fputc('}', to);
}

/* Returns true after what the predicate follows. */
static bool is_before_predicate(const struct group_form *form, const char *at)
{
    if (!form->bytes[3]) return *at == 'B';
    return at > form->instruction + 3 && at[-3] == 'E';
}

/* Writes the instruction with registers in place of D, A+..., B+..., E */
static void write_product(FILE *to, const struct group_form *form)
{
    const char *at = strchr(form->instruction, ' ') + 1;
    fprintf(to, "\t%.*s", (int)(at - form->instruction), form->instruction);
    for (; *at; at += strcspn(at, ",")) {
        at += strspn(at, ", ");
        if (*at == 'D') write_list(to, 'd', form->registers);
        else if (*at == 'A' && form->from_registers) fputs(", ", to), write_list(to, 'a', 4);
        else if (*at == 'E') fputs(", %e", to);
        else if (*at == 'A' || *at == 'B') fprintf(to, ", %%desc%c", *at | 32);
        else fprintf(to, ", %.*s", (int)strcspn(at, ","), at);
        if (is_before_predicate(form, at)) {
            at += strcspn(at, ",");
            fputs(", %p", to);
            at++;
        }
    }
    fputs(";\n", to);
}

static void write_descriptor(FILE *to, const struct group_form *form, char image)
{
    const char lower = (char)(image | 32), sign[] = { ' ', image, '+', '\0' };
    const char *at = strstr(form->instruction, sign) + 3;
    fprintf(to, "\tmov.u32 %%s, image_%c;\n\tshr.u32 %%s, %%s, 4;\n\tcvt.u64.u32 %%desc%c, %%s;\n"
            "\tadd.u64 %%desc%c, %%desc%c, %.*s;\n",
            lower, lower, lower, lower, (int)strcspn(at, ","), at);
}

/* Copies an image from global memory, 16 bytes a thread. */
static void write_copy(FILE *to, char name, size_t bytes)
{
    fprintf(to, "\tmov.u32 %%s, image_%c;\n\tmad.lo.u32 %%s, %%thread, 16, %%s;\n"
            "\tmad.wide.u32 %%at, %%thread, 16, %%p%c;\n\tmov.u32 %%left, %zu;\nCOPY_%c:\n"
            "\tld.global.v4.b32 {%%a0,%%a1,%%a2,%%a3}, [%%at];\n"
            "\tst.shared.v4.b32 [%%s], {%%a0,%%a1,%%a2,%%a3};\n"
            "\tadd.u32 %%s, %%s, 2048;\n\tadd.u64 %%at, %%at, 2048;\n"
            "\tsub.u32 %%left, %%left, 1;\n\tsetp.ne.u32 %%p, %%left, 0;\n\t@%%p bra COPY_%c;\n",
            name, name, bytes / 2048, name, name);
}

char *group_text(const struct group_form *form)
{
    char *text = NULL;
    size_t bytes;
    FILE *to = open_memstream(&text, &bytes);
    if (!to) abort();
    fprintf(to, ".version 8.7\n.target sm_90a\n.address_size 64\n"
            ".visible .entry group(.param .u64 group_d, .param .u64 group_a, "
            ".param .u64 group_b, .param .u64 group_e)\n{\n"
            "\t.shared .align 1024 .b8 image_a[8192];\n"
            "\t.shared .align 1024 .b8 image_b[32768];\n"
            "\t.reg .b64 %%pd, %%pa, %%pb, %%pe, %%at, %%desca, %%descb;\n\t.reg .pred %%p;\n"
            "\t.reg .b32 %%thread, %%block, %%s, %%left, %%e, %%a<4>, %%d<%u>;\n"
            "\tmov.u32 %%thread, %%tid.x;\n\tmov.u32 %%block, %%ctaid.x;\n", form->registers);
    for (int i = 0; i < GROUP_OPERANDS; i++)
        fprintf(to, "\tld.param.u64 %%p%c, [group_%c];\n\tcvta.to.global.u64 %%p%c, %%p%c;\n"
                "\tmad.wide.u32 %%p%c, %%block, %zu, %%p%c;\n", "dabe"[i], "dabe"[i], "dabe"[i],
                "dabe"[i], "dabe"[i], form->bytes[i], "dabe"[i]);
    write_copy(to, 'b', form->bytes[2]);
    if (!form->from_registers) write_copy(to, 'a', form->bytes[1]);
    else fputs("\tmad.wide.u32 %at, %thread, 16, %pa;\n"
               "\tld.global.v4.b32 {%a0,%a1,%a2,%a3}, [%at];\n", to);
    fprintf(to, "\tmad.wide.u32 %%at, %%thread, %u, %%pd;\n", form->registers * 4);
    for (unsigned i = 0; i < form->registers; i++)
        fprintf(to, "\tld.global.b32 %%d%u, [%%at+%u];\n", i, i * 4);
    if (!form->from_registers) write_descriptor(to, form, 'A');
    write_descriptor(to, form, 'B');
    if (form->bytes[3])
        fputs("\tmad.wide.u32 %pe, %thread, 4, %pe;\n\tld.global.b32 %e, [%pe];\n", to);
    const char *adds = strchr(strstr(form->instruction, "B+"), ',') + 2;
    if (form->bytes[3]) adds += strlen("E, 0, ");
    fprintf(to, "\tsetp.ne.u32 %%p, %c, 0;\n\tfence.proxy.async;\n\tbar.sync 0;\n"
            "\twgmma.fence.sync.aligned;\n", *adds);
    write_product(to, form);
    fputs("\twgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;\n", to);
    for (unsigned i = 0; i < form->registers; i++)
        fprintf(to, "\tst.global.b32 [%%at+%u], %%d%u;\n", i * 4, i);
    fputs("\tret;\n}\n", to);
    fclose(to);
    return text;
}

/* ---- Operands ----------------------------------------------------------------------------- */

void group_operands(struct group_form *form)
{
    struct tile_dice dice = { 2027 };
    for (int i = 0; i < GROUP_OPERANDS; i++) {
        const char *factor = i ? NULL : form->types[1];
        form->values[i] = malloc(form->bytes[i] * GROUPS + 1);
        if (!form->values[i]) abort();
        for (size_t at = 0; at < form->bytes[i] * GROUPS; at += sizeof(uint32_t)) {
            const enum tile_kind kind = (enum tile_kind)(at / form->bytes[i]);
            const uint32_t word = (uint32_t)tile_roll(&dice, form->types[i], factor, i == 1, kind);
            memcpy(form->values[i] + at, &word, sizeof word);
        }
    }
}

void group_drop(struct group_form *form)
{
    for (int i = 0; i < GROUP_OPERANDS; i++) free(form->values[i]);
}

uint64_t group_hash(const struct group_form *form)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t at = 0; at < form->bytes[0] * GROUPS; at += sizeof(uint32_t)) {
        uint32_t word;
        memcpy(&word, form->values[0] + at, sizeof word);
        hash = (hash ^ word) * UINT64_C(0x100000001b3);
        hash ^= hash >> 29;
    }
    return hash;
}
