/* SPDX-License-Identifier: Apache-2.0
 *
 * Texts that are nearly PTX, and what is to happen with them: an error or a launch that
 * ends, never a crash, a hang, a byte that is read or written elsewhere or left behind.
 */
#ifndef PTX_FUZZ_H
#define PTX_FUZZ_H

#include <stddef.h>
#include <stdint.h>

/* Reads, compiles and runs every kernel of a text, within small limits.  (The name is that
 * of libFuzzer's: fuzz.c without test_fuzz.c is a target for it.) */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* How far texts come: read, compiled, kernels that were launched, that ended well. */
struct fuzz_tally {
    uint64_t texts, read, compiled, launched, ended;
};
extern struct fuzz_tally fuzz_tally;

/* Texts with what compilers seldom write; the last is NULL. */
extern const char *const fuzz_seeds[];

/* From this number on, texts are made of the seeds alone: the newest instructions. */
#define FUZZ_SEEDS_ALONE UINT64_C(1000000000000)

/* Text `number`, ended by a zero that does not count, to be freed: one of the corpus with
 * some mutations, or none.  The same for the same number.  RILL_FUZZ_TEXTS names a folder whose
 * texts are the corpus then. */
char *fuzz_text(uint64_t number, size_t *bytes);

#endif
