/* SPDX-License-Identifier: Apache-2.0
 *
 * What a linking takes of objects of the host and of archives of them, such as the libcudadevrt.a
 * that programs add to kernels which launch kernels.
 */
#include <elf.h>
#include <stdio.h>

#include "standin/modules.h"

enum { CUBIN, PTX, FATBIN, OBJECT, ARCHIVE, NVVM };

static const char answers[] = HEAD ".visible .func (.param .u32 r) give\n{ .reg .u32 %v;\n"
    "mov.u32 %v, 7; st.param.u32 [r], %v; ret; }\n";
static const char asks[] = HEAD ".extern .func (.param .u32 r) give;\n"
    ".visible .entry k(.param .u64 out)\n{ .reg .u64 %o; .reg .u32 %v; ld.param.u64 %o, [out];\n"
    "{ .param .u32 r; call (r), give; ld.param.u32 %v, [r]; }\nst.global.u32 [%o], %v; ret; }\n";

/* ---- Making files ------------------------------------------------------------------------- */

struct file {
    unsigned char at[4096];
    size_t bytes;
};

static void append(struct file *file, const void *from, size_t bytes)
{
    assert_true(bytes <= sizeof file->at - file->bytes);
    memcpy(file->at + file->bytes, from, bytes);
    file->bytes += bytes;
}

static void append_zeros(struct file *file, size_t alignment)
{
    while (file->bytes % alignment) append(file, "", 1);
}

/* A fat binary with one text, as it is. */
static void append_fatbin(struct file *file, const char *text, size_t bytes)
{
    struct {
        uint32_t magic;
        uint16_t version, head_bytes;
        uint64_t bytes;
        uint16_t kind, member_version;
        uint32_t member_head;
        uint64_t member_bytes;
        uint32_t packed, options, minor, architecture, name, name_bytes;
        uint64_t flags, zero, unpacked;
    } head = { 0xba55ed50, 1, 16, 64 + bytes, 1, 0x101, 64, bytes, 0, 64, 0, 50, 0, 0, 0, 0, 0 };
    assert_int_equal(sizeof head, 80);
    append(file, &head, sizeof head);
    append(file, text, bytes);
    append_zeros(file, 8);
}

/* An ELF file of two sections: that of names, and another one. */
static void make_elf(struct file *elf, uint16_t machine, const char *name, uint32_t type,
                     const struct file *content)
{
    Elf64_Ehdr head = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, 1 },
                        .e_machine = machine, .e_flags = 90, .e_shentsize = sizeof(Elf64_Shdr),
                        .e_shnum = 3, .e_shstrndx = 1 };
    Elf64_Shdr sections[3] = { { .sh_type = SHT_NULL } };
    elf->bytes = 0;
    append(elf, &head, sizeof head);
    sections[1] = (Elf64_Shdr){ .sh_type = SHT_STRTAB, .sh_offset = elf->bytes };
    append(elf, "", 1);
    append(elf, name, strlen(name) + 1);
    append(elf, "__cudaCDP2GetParameterBufferV2", 31);
    sections[1].sh_size = elf->bytes - sections[1].sh_offset;
    append_zeros(elf, 8);
    sections[2] = (Elf64_Shdr){ .sh_name = 1, .sh_type = type, .sh_link = 1,
                                .sh_offset = elf->bytes, .sh_size = content->bytes };
    append(elf, content->at, content->bytes);
    append_zeros(elf, 8);
    head.e_shoff = elf->bytes;
    append(elf, sections, sizeof sections);
    memcpy(elf->at, &head, sizeof head);
}

static void make_object(struct file *object, const char *section, const char *text, size_t bytes)
{
    struct file content = { .bytes = 0 };
    append_fatbin(&content, text, bytes);
    make_elf(object, EM_X86_64, section, SHT_PROGBITS, &content);
}

static void append_member(struct file *archive, const char *name, const void *at, size_t bytes)
{
    char head[61];
    if (!archive->bytes) append(archive, "!<arch>\n", 8);
    snprintf(head, sizeof head, "%-16s%-12d%-6d%-6d%-8d%-10zu`\n", name, 0, 0, 0, 644, bytes);
    append(archive, head, 60);
    append(archive, at, bytes);
    if (archive->bytes % 2) append(archive, "\n", 1);
}

/* Machine code that defines what only the device runtime does. */
static void make_device_runtime(struct file *cubin)
{
    static const char table[] = ".symtab";
    const Elf64_Sym symbols[2] = {
        { .st_name = 0 },
        { .st_name = 1 + sizeof table, .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
          .st_shndx = 2 },
    };
    struct file content = { .bytes = 0 };
    append(&content, symbols, sizeof symbols);
    make_elf(cubin, 190, table, SHT_SYMTAB, &content);
}

/* ---- Linking ------------------------------------------------------------------------------ */

static CUlinkState begin(void)
{
    CUlinkState linking = NULL;
    OK(CALL(cuLinkCreate_v2, (unsigned, int *, void **, CUlinkState *), (0, NULL, NULL, &linking)));
    return linking;
}

static CUresult add(CUlinkState linking, int kind, const void *data, size_t bytes)
{
    return CALL(cuLinkAddData_v2, (CUlinkState, int, const void *, size_t, const char *, unsigned,
                                   int *, void **),
                (linking, kind, data, bytes, "an input", 0, NULL, NULL));
}

static void end(CUlinkState linking)
{
    OK(CALL(cuLinkDestroy, (CUlinkState), (linking)));
}

/* Ends a linking, whose kernel stores what it was given. */
static uint32_t run_and_end(CUlinkState linking)
{
    void *made = NULL;
    size_t bytes = 0;
    CUdeviceptr out = 0;
    uint32_t value = 0;
    void *params[] = { &out };
    OK(CALL(cuLinkComplete, (CUlinkState, void **, size_t *), (linking, &made, &bytes)));
    CUmodule module = load(made);
    end(linking);
    OK(CALL(cuMemAlloc_v2, (CUdeviceptr *, size_t), (&out, 4)));
    OK(launch(function_of(module, "k"), 1, 1, 0, params));
    read_back(&value, out, 4);
    OK(CALL(cuMemFree_v2, (CUdeviceptr), (out)));
    OK(unload(module));
    return value;
}

/* ---- What is taken ------------------------------------------------------------------------ */

static void the_texts_of_an_object_are_linked(void **state)
{
    (void)state;
    static const char *const sections[] = { ".nv_fatbin", "__nv_relfatbin" };
    for (int i = 0; i < 2; i++) {
        struct file object;
        CUlinkState linking = begin();
        make_object(&object, sections[i], answers, sizeof answers);
        OK(add(linking, PTX, asks, sizeof asks));
        OK(add(linking, OBJECT, object.at, object.bytes));
        assert_int_equal(run_and_end(linking), 7);
    }
}

static void so_are_those_of_an_archive(void **state)
{
    (void)state;
    struct file object, archive = { .bytes = 0 };
    CUlinkState linking = begin();
    append_member(&archive, "/", "a list", 6);
    make_object(&object, "__nv_relfatbin", asks, sizeof asks);
    append_member(&archive, "asks.o/", object.at, object.bytes);
    append_member(&archive, "words/", "odd", 3);
    make_object(&object, "__nv_relfatbin", answers, sizeof answers);
    append_member(&archive, "answers.o/", object.at, object.bytes);
    OK(add(linking, ARCHIVE, archive.at, archive.bytes));
    assert_int_equal(run_and_end(linking), 7);
}

static void an_object_without_code_for_a_device_gives_nothing(void **state)
{
    (void)state;
    struct file object;
    CUlinkState linking = begin();
    make_object(&object, ".text", "no text of PTX", 14);
    OK(add(linking, OBJECT, object.at, object.bytes));
    OK(add(linking, PTX, answers, sizeof answers));
    OK(add(linking, PTX, asks, sizeof asks));
    assert_int_equal(run_and_end(linking), 7);
}

/* CUDA 13 brings it as machine code. */
static void the_device_runtime_is_left_out(void **state)
{
    (void)state;
    struct file cubin;
    make_device_runtime(&cubin);
    CUlinkState linking = begin();
    OK(add(linking, CUBIN, cubin.at, cubin.bytes));
    OK(add(linking, PTX, asks, sizeof asks));
    OK(add(linking, CUBIN, cubin.at, cubin.bytes));
    OK(add(linking, PTX, answers, sizeof answers));
    assert_int_equal(run_and_end(linking), 7);
}

/* ---- What is refused ---------------------------------------------------------------------- */

static void other_files_are_no_objects(void **state)
{
    (void)state;
    CUlinkState linking = begin();
    assert_int_equal(add(linking, OBJECT, asks, sizeof asks), RILL_ERROR_INVALID_IMAGE);
    assert_int_equal(add(linking, ARCHIVE, asks, sizeof asks), RILL_ERROR_INVALID_IMAGE);
    assert_int_equal(add(linking, NVVM, asks, sizeof asks), RILL_ERROR_NOT_SUPPORTED);
    end(linking);
}

static void what_is_cut_off_is_refused(void **state)
{
    (void)state;
    struct file object, archive = { .bytes = 0 };
    make_object(&object, ".nv_fatbin", answers, sizeof answers);
    append_member(&archive, "answers.o/", object.at, object.bytes);
    CUlinkState linking = begin();
    for (size_t i = 1; i < object.bytes; i += 7)
        assert_int_equal(add(linking, OBJECT, object.at, i), RILL_ERROR_INVALID_IMAGE);
    for (size_t i = 8 + 60; i < archive.bytes - 1; i += 7)
        assert_int_equal(add(linking, ARCHIVE, archive.at, i), RILL_ERROR_INVALID_IMAGE);
    end(linking);
}

/* The size of a fat binary counts its head. */
static void a_fat_binary_without_a_size_is_refused(void **state)
{
    (void)state;
    static const unsigned char head[24] = { 0x50, 0xed, 0x55, 0xba, 1 };
    struct file object, content = { .bytes = 0 };
    append(&content, head, sizeof head);
    make_elf(&object, EM_X86_64, ".nv_fatbin", SHT_PROGBITS, &content);
    CUlinkState linking = begin();
    assert_int_equal(add(linking, OBJECT, object.at, object.bytes), RILL_ERROR_INVALID_IMAGE);
    end(linking);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_texts_of_an_object_are_linked),
        TEST(so_are_those_of_an_archive),
        TEST(an_object_without_code_for_a_device_gives_nothing),
        TEST(the_device_runtime_is_left_out),
        TEST(other_files_are_no_objects),
        TEST(what_is_cut_off_is_refused),
        TEST(a_fat_binary_without_a_size_is_refused),
    };
    begin_with_kernels();
    return cmocka_run_group_tests_name("standin/link_objects", tests, NULL, NULL);
}
