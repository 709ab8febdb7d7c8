// SPDX-License-Identifier: Apache-2.0
// A prefix sum by CUB.
#include <cub/device/device_scan.cuh>
#include <vector>

#include "check.h"

int main()
{
    const int n = 5000;
    std::vector<int> host(n);
    int *in, *out;
    void *scratch = NULL;
    size_t scratch_bytes = 0;
    for (int i = 0; i < n; i++) host[i] = i % 5 + 1;
    OK(cudaMalloc(&in, n * sizeof *in));
    OK(cudaMalloc(&out, n * sizeof *out));
    OK(cudaMemcpy(in, host.data(), n * sizeof *in, cudaMemcpyHostToDevice));
    OK(cub::DeviceScan::ExclusiveSum(scratch, scratch_bytes, in, out, n));
    OK(cudaMalloc(&scratch, scratch_bytes));
    OK(cub::DeviceScan::ExclusiveSum(scratch, scratch_bytes, in, out, n));
    std::vector<int> sums(n);
    OK(cudaMemcpy(sums.data(), out, n * sizeof *out, cudaMemcpyDeviceToHost));
    for (int i = 0, sum = 0; i < n; sum += host[i++]) EXPECT(sums[i] == sum);
    std::printf("cub scan\n");
}
