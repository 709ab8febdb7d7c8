/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels that are asked about, for hardware.
 */
extern "C" {
__global__ void store_kernel(int *at, int value)
{
    if (at) *at = value;
}
__global__ void idle_kernel() {}
__global__ void trap_kernel()
{
    asm volatile("trap;");
}
__global__ void wait_kernel(volatile int *flag)
{
    while (!*flag) {}
}
__global__ void fault_kernel(int *at)
{
    *at = 1;
}
}
__device__ int total_variable;
__constant__ int table_variable[8];

extern "C" {
extern const void *const store = (const void *)store_kernel;
extern const void *const idle = (const void *)idle_kernel;
extern const void *const trap = (const void *)trap_kernel;
extern const void *const wait_for = (const void *)wait_kernel;
extern const void *const fault = (const void *)fault_kernel;
extern const void *const total = (const void *)&total_variable;
extern const void *const table = (const void *)table_variable;
int not_registered;
void register_kernels(void) {}
}
