/* SPDX-License-Identifier: Apache-2.0
 *
 * As much of cmocka as the kernels of tests/ptx need, for machines with a GPU and nothing
 * else: what fails ends the case.
 */
#ifndef GPU_CMOCKA_H
#define GPU_CMOCKA_H

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern jmp_buf gpu_case;

#define fail() (printf("# %s:%d fails\n", __FILE__, __LINE__), longjmp(gpu_case, 1))
#define fail_msg(...) (printf("# "), printf(__VA_ARGS__), printf("\n"), longjmp(gpu_case, 1))
#define assert_true(it) do { if (!(it)) fail(); } while (0)
#define assert_false(it) assert_true(!(it))
#define assert_int_equal(a, b) assert_true((a) == (b))
#define assert_non_null(it) assert_true((it) != NULL)
#define assert_string_equal(a, b) assert_true(!strcmp(a, b))

#endif
