// SPDX-License-Identifier: Apache-2.0
// A sort, a reduction and a transformation by Thrust.
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

#include "check.h"

int main()
{
    const int n = 3000;
    thrust::host_vector<int> host(n);
    long long sum = 0;
    for (int i = 0; i < n; i++) {
        host[i] = (int)((i * 7919LL + 13) % 100003);
        sum += host[i];
    }
    thrust::device_vector<int> device = host;
    thrust::sort(device.begin(), device.end());
    EXPECT(thrust::reduce(device.begin(), device.end(), 0LL) == sum);
    host = device;
    for (int i = 1; i < n; i++) EXPECT(host[i - 1] <= host[i]);
    std::printf("thrust sort\n");
}
