/* SPDX-License-Identifier: Apache-2.0
 *
 * Included in front of every source of the library (-include): notes where the code of the
 * object file begins and how long it is, so that rl_is_own_text() knows the library's code
 * from the program's, also where both are in one static program.  That takes 16 bytes of an
 * object file and not an instruction of its functions.
 *
 * Subsection 8191 is what the assembler puts last.  The relocation without effect keeps the
 * note when a linker drops sections that nobody refers to (--gc-sections).  The numbers are
 * labels that may repeat.  Objects for link-time optimization have no such place, and their
 * notes are empty.
 */
#if defined(__ELF__) && defined(__GNUC__)
#ifdef __clang__
#define RL_COLD_TEXT ".text.unlikely." /* where the compiler puts cold functions */
#else
#define RL_COLD_TEXT ".text.unlikely"
#endif
__asm__(".pushsection .text, 0\n"
        "771: .reloc ., BFD_RELOC_NONE, 775f\n"
        ".popsection\n"
        ".pushsection .text, 8191\n"
        "772:\n"
        ".popsection\n"
        ".pushsection " RL_COLD_TEXT ", \"ax\", %progbits\n"
        "773:\n"
        ".popsection\n"
        ".pushsection " RL_COLD_TEXT ", 8191\n"
        "774:\n"
        ".popsection\n"
        ".pushsection rill_text, \"a\", %progbits\n"
        ".balign 4\n"
        "775: .long 771b - ., 772b - 771b, 773b - ., 774b - 773b\n"
        ".popsection\n");
#endif
