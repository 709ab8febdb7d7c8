/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of loops.cu as loops of plain C.
 */
#ifndef BENCH_LOOPS_PLAIN_H
#define BENCH_LOOPS_PLAIN_H

/* Each does a part of the work, so that threads can share it: numbers, rows, or rows of tiles from
 * `first` to before `end`. */
void plain_saxpy(int first, int end, float a, const float *x, float *y);
void plain_matmul(int first, int end, int n, const float *a, const float *b, float *c);
void plain_matmul_tiled(int first, int end, int n, const float *a, const float *b, float *c);
float plain_reduce(int first, int end, const float *in);
void plain_histogram(int first, int end, const unsigned char *in, unsigned *counts);
void plain_nbody(int first, int end, int n, const float *bodies, float *pulls);
void plain_stencil(int first, int end, int w, int h, const float *in, float *out);
void plain_scan(int first, int end, const float *in, float *out);
void plain_sort(int first, int end, const float *in, float *out);
void plain_transpose(int first, int end, int n, const float *in, float *out);
void plain_softmax(int first, int end, int n, const float *in, float *out);

#endif
