/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of loops.cu as loops of plain C.
 */
#ifndef BENCH_LOOPS_PLAIN_H
#define BENCH_LOOPS_PLAIN_H

void plain_saxpy(int n, float a, const float *x, float *y);
void plain_matmul(int n, const float *a, const float *b, float *c);
void plain_matmul_tiled(int n, const float *a, const float *b, float *c);
float plain_reduce(int n, const float *in);
void plain_histogram(int n, const unsigned char *in, unsigned *counts);
void plain_nbody(int n, const float *bodies, float *pulls);
void plain_stencil(int w, int h, const float *in, float *out);
void plain_scan(int n, const float *in, float *out);
void plain_sort(int n, const float *in, float *out);
void plain_transpose(int n, const float *in, float *out);
void plain_softmax(int n, const float *in, float *out);

#endif
