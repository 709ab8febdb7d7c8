/* SPDX-License-Identifier: Apache-2.0
 *
 * The PTX of a random kernel.  Threads that end early store what they have: every other
 * one and exits, the rest on their way to the end. */
#include "torture.h"

#include <stdio.h>

struct writer {
    const struct torture *torture;
    FILE *to;
    bool kernel;
    int labels;
    int depth;              /* of loops: which counter is whose */
    int leave, next;        /* labels of the innermost loop     */
    int tables;
};

static void write_list(struct writer *writer, uint16_t at);

static void write_operation(struct writer *writer, const struct act *act, const char *guard)
{
    const char *text = torture_operations[act->operation].text;
    fprintf(writer->to, "\t%s", guard);
    for (; *text; text++) {
        if (*text == ';' && text[1]) {
            fprintf(writer->to, ";\n\t%s", guard);
        } else if (*text == '$') {
            char which = *++text;
            fprintf(writer->to, "%%r%d", which == 'd' ? act->d : which == 'a' ? act->a
                                       : which == 'b' ? act->b : act->c);
        } else {
            fputc(*text, writer->to);
        }
    }
    fputc('\n', writer->to);
}

/* Into %p0. */
static void write_condition(struct writer *writer, const struct act *act)
{
    FILE *to = writer->to;
    switch (act->comparison) {
    case IS_EQUAL:
        fprintf(to, "\tand.b32 %%t0, %%r%d, 3;\n\tsetp.eq.u32 %%p0, %%t0, %u;\n", act->tested,
                (unsigned)act->number & 3);
        return;
    case IS_BELOW:
        fprintf(to, "\tsetp.lo.u32 %%p0, %%r%d, %u;\n", act->tested, (unsigned)act->number);
        return;
    case IS_LESS:
        fprintf(to, "\tsetp.lt.s32 %%p0, %%r%d, %d;\n", act->tested, (int)act->number);
        return;
    default:
        fprintf(to, "\tand.b32 %%t0, %%r%d, %u;\n\tsetp.eq.s32 %%p0, %%t0, 0;\n", act->tested,
                (unsigned)act->number);
    }
}

static void write_branch(struct writer *writer, const struct act *act)
{
    int other = writer->labels++, end = writer->labels++;
    write_condition(writer, act);
    fprintf(writer->to, "\t@!%%p0 bra L%d;\n", other);
    write_list(writer, act->body[0]);
    if (act->body[1] != NO_ACT) fprintf(writer->to, "\tbra L%d;\n", end);
    fprintf(writer->to, "L%d:\n", other);
    write_list(writer, act->body[1]);
    fprintf(writer->to, "L%d:\n", end);
}

static void write_loop(struct writer *writer, const struct act *act, bool together)
{
    int begin = writer->labels++, next = writer->labels++, leave = writer->labels++;
    int outer_next = writer->next, outer_leave = writer->leave, counter = writer->depth++;
    FILE *to = writer->to;
    writer->next = next;
    writer->leave = leave;
    if (together)
        fprintf(to, "\tmov.u32 %%c%d, %u;\n", counter, (unsigned)act->number);
    else
        fprintf(to, "\tand.b32 %%c%d, %%r%d, 3;\n\tadd.u32 %%c%d, %%c%d, 1;\n", counter, act->a,
                counter, counter);
    fprintf(to, "L%d:\n", begin);
    write_list(writer, act->body[0]);
    fprintf(to, "L%d:\n\tsub.u32 %%c%d, %%c%d, 1;\n\tsetp.ne.u32 %%p0, %%c%d, 0;\n"
                "\t@%%p0 bra L%d;\nL%d:\n", next, counter, counter, counter, begin, leave);
    writer->depth--;
    writer->next = outer_next;
    writer->leave = outer_leave;
}

static void write_switch(struct writer *writer, const struct act *act)
{
    int first = writer->labels, end = first + 4, table = writer->tables++;
    FILE *to = writer->to;
    writer->labels += 5;
    fprintf(to, "\tand.b32 %%t0, %%r%d, 3;\nT%d: .branchtargets L%d, L%d, L%d, L%d;\n"
                "\tbrx.idx %%t0, T%d;\n", act->a, table, first, first + 1, first + 2, first + 3,
            table);
    for (int i = 0; i < 4; i++) {
        fprintf(to, "L%d:\n", first + i);
        write_list(writer, act->body[i]);
        fprintf(to, "\tbra.uni L%d;\n", end);
    }
    fprintf(to, "L%d:\n", end);
}

static void write_call(struct writer *writer, const struct act *act)
{
    FILE *to = writer->to;
    int table = writer->tables++;
    if (act->kind == CALL_POINTER)
        fprintf(to, "\tand.b32 %%t0, %%r%d, 1;\n\tsetp.eq.u32 %%p1, %%t0, 0;\n"
                    "\tmov.u64 %%l0, F0;\n\tmov.u64 %%l1, F1;\n\tselp.b64 %%l0, %%l0, %%l1, "
                    "%%p1;\n",
                act->c);
    fprintf(to, "\t{\n\t.param .b32 first;\n\t.param .b32 second;\n\t.param .b32 answer;\n"
                "\tst.param.b32 [first+0], %%r%d;\n\tst.param.b32 [second+0], %%r%d;\n",
            act->a, act->b);
    if (act->kind == CALL_POINTER)
        fprintf(to, "T%d: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);\n"
                    "\tcall (answer), %%l0, (first, second), T%d;\n", table, table);
    else
        fprintf(to, "\tcall.uni (answer), F%d, (first, second);\n", act->operation);
    fprintf(to, "\tld.param.b32 %%r%d, [answer+0];\n\t}\n", act->d);
}

static void write_local(struct writer *writer, const struct act *act)
{
    FILE *to = writer->to;
    fprintf(to, "\tand.b32 %%t0, %%r%d, %d;\n\tmov.u64 %%l0, locals;\n"
                "\tmad.wide.u32 %%l0, %%t0, 4, %%l0;\n", act->a, LOCALS - 1);
    if (act->kind == STORE_LOCAL) fprintf(to, "\tst.local.u32 [%%l0], %%r%d;\n", act->b);
    else fprintf(to, "\tld.local.u32 %%r%d, [%%l0];\n", act->d);
}

static void write_count(struct writer *writer, const struct act *act)
{
    static const char *const operations[] = { "add.u32", "xor.b32", "max.u32", "or.b32" };
    unsigned k = act->number % COUNTERS;
    if (act->kind == COUNT_SHARED)
        fprintf(writer->to, "\tatom.shared.%s %%t0, [counters+%u], %%r%d;\n", operations[k % 4],
                k * 4, act->a);
    else
        fprintf(writer->to, "\tred.global.%s [%%global+%u], %%r%d;\n", operations[k % 4], k * 4,
                act->a);
}

static void write_registers(struct writer *writer, const char *guard)
{
    for (int i = 0; i < REGISTERS; i++)
        fprintf(writer->to, "\t%sst.global.u32 [%%own+%d], %%r%d;\n", guard, i * 4, i);
}

static void write_return(struct writer *writer, const struct act *act)
{
    write_condition(writer, act);
    if (!writer->kernel) {
        fputs("\t@%p0 bra END;\n", writer->to);
        return;
    }
    fputs("\tand.pred %p1, %p0, %odd;\n", writer->to);
    write_registers(writer, "@%p1 ");
    fputs("\t@%p1 exit;\n\t@%p0 bra END;\n", writer->to);
}

/* ---- Together ------------------------------------------------------------------------- */

static void write_exchange(struct writer *writer, const struct act *act)
{
    fprintf(writer->to, "\tbar.sync 0;\n\tst.shared.u32 [%%slot], %%r%d;\n\tbar.sync 0;\n"
                        "\tadd.u32 %%t0, %%me, %u;\n\trem.u32 %%t0, %%t0, %%size;\n"
                        "\tmov.u32 %%t1, slots;\n\tmad.lo.u32 %%t0, %%t0, 4, %%t1;\n"
                        "\tld.shared.u32 %%r%d, [%%t0];\n", act->a, (unsigned)act->number, act->d);
}

static void write_shuffle(struct writer *writer, const struct act *act)
{
    static const char *const ways[] = { "up", "down", "bfly", "idx" };
    static const char *const clamps[] = { "0", "31", "31", "31" };
    unsigned way = act->operation % 4;
    fprintf(writer->to, "\tshfl.sync.%s.b32 %%r%d, %%r%d, %u, %s, -1;\n", ways[way], act->d, act->a,
            (unsigned)act->number & 31, clamps[way]);
}

static void write_subset(struct writer *writer, const struct act *act)
{
    int end = writer->labels++;
    write_condition(writer, act);
    fprintf(writer->to, "\tvote.sync.ballot.b32 %%t0, %%p0, -1;\n\t@!%%p0 bra L%d;\n"
                        "\tbrev.b32 %%t1, %%t0;\n\tclz.b32 %%t1, %%t1;\n"
                        "\tshfl.sync.idx.b32 %%t2, %%r%d, %%t1, 31, %%t0;\n"
                        "\tand.b32 %%t1, %%r%d, 1;\n\tsetp.ne.u32 %%p1, %%t1, 0;\n"
                        "\tvote.sync.ballot.b32 %%t1, %%p1, %%t0;\n\tpopc.b32 %%t1, %%t1;\n"
                        "\tadd.u32 %%r%d, %%t2, %%t1;\nL%d:\n", end, act->a, act->b, act->d, end);
}

static void write_act(struct writer *writer, const struct act *act)
{
    switch (act->kind) {
    case COMPUTE: write_operation(writer, act, ""); break;
    case COMPUTE_IF:
        write_condition(writer, act);
        write_operation(writer, act, "@%p0 ");
        break;
    case BRANCH: write_branch(writer, act); break;
    case LOOP: write_loop(writer, act, false); break;
    case LEAVE_LOOP:
    case NEXT_ROUND:
        write_condition(writer, act);
        fprintf(writer->to, "\t@%%p0 bra L%d;\n",
                act->kind == NEXT_ROUND ? writer->next : writer->leave);
        break;
    case SWITCH: write_switch(writer, act); break;
    case STORE_LOCAL:
    case LOAD_LOCAL: write_local(writer, act); break;
    case CALL:
    case CALL_POINTER: write_call(writer, act); break;
    case COUNT_SHARED:
    case COUNT_GLOBAL: write_count(writer, act); break;
    case RETURN: write_return(writer, act); break;
    case EXCHANGE: write_exchange(writer, act); break;
    case SHUFFLE: write_shuffle(writer, act); break;
    case BALLOT:
        write_condition(writer, act);
        fprintf(writer->to, "\tvote.sync.ballot.b32 %%r%d, %%p0, 0xffffffff;\n", act->d);
        break;
    case SUBSET: write_subset(writer, act); break;
    case TOGETHER_LOOP: write_loop(writer, act, true); break;
    case BARRIER_SUM:
        write_condition(writer, act);
        fprintf(writer->to, "\tbar.red.popc.u32 %%r%d, 0, %%p0;\n", act->d);
        break;
    }
}

static void write_list(struct writer *writer, uint16_t at)
{
    for (; at != NO_ACT; at = writer->torture->acts[at].next)
        write_act(writer, &writer->torture->acts[at]);
}

static const char declarations[] =
    "{\n\t.reg .pred %p<4>, %odd;\n\t.reg .b32 %r<8>, %t<4>, %c<8>, %me, %size, %slot, %zero;\n"
    "\t.reg .b64 %l<4>, %own, %global;\n\t.reg .f32 %f<2>;\n\tmov.u32 %zero, 0;\n";

static void write_function(struct writer *writer, int function)
{
    FILE *to = writer->to;
    fprintf(to, ".func (.param .b32 back) F%d(.param .b32 one, .param .b32 two)\n%s"
                "\tld.param.b32 %%r0, [one];\n\tld.param.b32 %%r1, [two];\n"
                "\txor.b32 %%r2, %%r0, %%r1;\n\tmov.u32 %%r3, 7;\n", function, declarations);
    write_list(writer, writer->torture->functions[function]);
    fputs("END:\n\tst.param.b32 [back+0], %r0;\n\tret;\n}\n", to);
}

static const char descend[] =
    ".func (.param .b32 answer) F3(.param .b32 first, .param .b32 second)\n{\n"
    "\t.reg .pred %p0;\n\t.reg .b32 %r<4>;\n"
    "\tld.param.b32 %r0, [first];\n\tld.param.b32 %r1, [second];\n\tand.b32 %r1, %r1, 7;\n"
    "\tsetp.eq.u32 %p0, %r1, 0;\n\t@%p0 bra LAST;\n"
    "\tmad.lo.u32 %r2, %r0, 5, %r1;\n\tsub.u32 %r1, %r1, 1;\n"
    "\t{\n\t.param .b32 a;\n\t.param .b32 b;\n\t.param .b32 c;\n"
    "\tst.param.b32 [a], %r2;\n\tst.param.b32 [b], %r1;\n\tcall (c), F3, (a, b);\n"
    "\tld.param.b32 %r2, [c];\n\t}\n"
    "\txor.b32 %r0, %r0, %r2;\nLAST:\n\tst.param.b32 [answer], %r0;\n\tret;\n}\n";

static const char prologue[] =
    "\tmov.u32 %me, %tid.x;\n\tmov.u32 %size, %ntid.x;\n\tmov.u32 %slot, slots;\n"
    "\tmad.lo.u32 %slot, %me, 4, %slot;\n\tand.b32 %t0, %me, 1;\n\tsetp.eq.u32 %odd, %t0, 1;\n"
    "\tsetp.lt.u32 %p0, %me, 8;\n\tmov.u32 %t0, counters;\n\tmad.lo.u32 %t0, %me, 4, %t0;\n"
    "\t@%p0 st.shared.u32 [%t0], %zero;\n\tsetp.eq.u32 %p0, %me, 0;\n"
    "\t@%p0 st.shared.v4.u32 [counters], {%zero, %zero, %zero, %zero};\n"
    "\t@%p0 st.shared.v4.u32 [counters+16], {%zero, %zero, %zero, %zero};\n\tbar.sync 0;\n"
    "\tmov.u32 %t0, %ctaid.x;\n\tmad.lo.u32 %t0, %t0, %size, %me;\n"
    "\tld.param.u64 %own, [registers];\n\tmad.wide.u32 %own, %t0, 32, %own;\n"
    "\tld.param.u64 %global, [totals];\n\tmov.u32 %t0, 0;\n\tmov.u64 %l0, locals;\n"
    "CLEAR:\n\tst.local.u32 [%l0], %zero;\n\tadd.u64 %l0, %l0, 4;\n\tadd.u32 %t0, %t0, 1;\n"
    "\tsetp.lt.u32 %p0, %t0, 16;\n\t@%p0 bra CLEAR;\n"
    "\tld.global.v4.u32 {%r0, %r1, %r2, %r3}, [%own];\n"
    "\tld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%own+16];\n";

static void write_kernel(struct writer *writer)
{
    static const char *const operations[] = { "add.u32", "xor.b32", "max.u32", "or.b32" };
    FILE *to = writer->to;
    fprintf(to, ".visible .entry torture(.param .u64 registers, .param .u64 totals)\n%s"
                "\t.local .align 4 .b8 locals[64];\n"
                "\t.shared .align 16 .b32 counters[8];\n\t.shared .align 4 .b32 slots[1024];\n%s",
            declarations, prologue);
    writer->kernel = true;
    write_list(writer, writer->torture->kernel);
    fputs("END:\n", to);
    write_registers(writer, "");
    fputs("\tbar.sync 0;\n\tsetp.ne.u32 %p0, %me, 0;\n\t@%p0 bra GONE;\n", to);
    for (int k = 0; k < COUNTERS; k++)
        fprintf(to, "\tld.shared.u32 %%t0, [counters+%d];\n\tred.global.%s [%%global+%d], %%t0;\n",
                k * 4, operations[k % 4], k * 4);
    fputs("GONE:\n\tret;\n}\n", to);
}

char *torture_text(const struct torture *torture)
{
    char *text = NULL;
    size_t bytes;
    struct writer writer = { .torture = torture, .to = open_memstream(&text, &bytes) };
    if (!writer.to) abort();
    fputs(".version 7.0\n.target sm_75\n.address_size 64\n", writer.to);
    fputs(descend, writer.to);
    for (int i = 0; i < FUNCTIONS; i++) {
        writer.labels = 0;
        write_function(&writer, i);
    }
    write_kernel(&writer);
    fclose(writer.to);
    return text;
}
