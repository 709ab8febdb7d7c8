/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels that are asked about, over rill: what a compiler would make of kernels.cu.
 */
#include "answers.h"

static const char text[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".visible .global .align 4 .u32 total_variable;\n"
    ".visible .const .align 4 .b8 table_variable[32];\n"
    ".visible .entry store_kernel(.param .u64 at, .param .u32 value)\n"
    "{ .reg .b64 a; .reg .b32 v; .reg .pred p;\n"
    "  ld.param.u64 a, [at]; ld.param.u32 v, [value];\n"
    "  setp.eq.u64 p, a, 0; @p ret; st.global.u32 [a], v; ret; }\n"
    ".visible .entry idle_kernel() { ret; }\n"
    ".visible .entry trap_kernel() { trap; ret; }\n"
    ".visible .entry wait_kernel(.param .u64 flag)\n"
    "{ .reg .b64 a; .reg .b32 v; .reg .pred p; ld.param.u64 a, [flag];\n"
    "again: ld.volatile.global.u32 v, [a]; setp.eq.u32 p, v, 0; @p bra again; ret; }\n"
    ".visible .entry fault_kernel(.param .u64 at)\n"
    "{ .reg .b64 a; .reg .b32 v; ld.param.u64 a, [at]; mov.u32 v, 1;\n"
    "  st.global.u32 [a], v; ret; }\n";

static struct {
    int magic, version;
    const void *image;
    void *unused;
} fatbin = { 0x466243b1, 1, text, NULL };

/* The host's sides. */
static char store_stub, idle_stub, trap_stub, wait_stub, fault_stub, total_symbol, table_symbol;

const void *const store = &store_stub, *const idle = &idle_stub, *const trap = &trap_stub,
                  *const wait_for = &wait_stub, *const fault = &fault_stub;
const void *const total = &total_symbol, *const table = &table_symbol;
int not_registered;

void **__cudaRegisterFatBinary(void *fatbin);
void __cudaRegisterFatBinaryEnd(void **image);
void __cudaRegisterFunction(void **image, const void *stub, char *unused, const char *name,
                            int threads, void *tid, void *bid, void *block, void *grid,
                            int *warp);
void __cudaRegisterVar(void **image, const void *symbol, char *unused, const char *name,
                       int external, size_t bytes, int constant, int global);

void register_kernels(void)
{
    static const struct {
        const void *stub;
        const char *name;
    } kernels[] = { { &store_stub, "store_kernel" },
                    { &idle_stub, "idle_kernel" },
                    { &trap_stub, "trap_kernel" },
                    { &wait_stub, "wait_kernel" },
                    { &fault_stub, "fault_kernel" } };
    void **image = __cudaRegisterFatBinary(&fatbin);
    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++)
        __cudaRegisterFunction(image, kernels[i].stub, NULL, kernels[i].name, -1, NULL, NULL,
                               NULL, NULL, NULL);
    __cudaRegisterVar(image, &total_symbol, NULL, "total_variable", 0, 4, 0, 0);
    __cudaRegisterVar(image, &table_symbol, NULL, "table_variable", 0, 32, 1, 0);
    __cudaRegisterFatBinaryEnd(image);
}
