/* SPDX-License-Identifier: Apache-2.0 */
#include "answers.h"

static int local[64];

static const enum cudaMemcpyKind to_device = cudaMemcpyHostToDevice,
                                 to_host = cudaMemcpyDeviceToHost;

static void ask_symbols(void)
{
    size_t bytes = 0;
    void *at = NULL, *memory = NULL;
    cudaMalloc(&memory, 1000);
    ASK(cudaMemcpyToSymbol(total, local, 4, 0, to_device));
    ASK(cudaMemcpyToSymbol(total, local, 8, 0, to_device));
    ASK(cudaMemcpyToSymbol(total, local, 4, 1, to_device));
    ASK(cudaMemcpyToSymbol(total, local, 0, 9, to_device));
    ASK(cudaMemcpyToSymbol(total, local, SIZE_MAX, 1, to_device));
    ASK(cudaMemcpyToSymbol(&not_registered, local, 4, 0, to_device));
    ASK(cudaMemcpyToSymbol(NULL, local, 4, 0, to_device));
    ASK(cudaMemcpyToSymbol(total, local, 4, 0, to_host));
    ASK(cudaMemcpyToSymbol(total, local, 4, 0, (enum cudaMemcpyKind)9));
    ASK(cudaMemcpyToSymbol(total, local, 4, 0, cudaMemcpyHostToHost));
    ASK(cudaMemcpyToSymbol(total, local, 4, 0, cudaMemcpyDefault));
    ASK(cudaMemcpyToSymbol(total, memory, 4, 0, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpyToSymbol(total, NULL, 4, 0, to_device));
    ASK(cudaMemcpyToSymbolAsync(total, local, 4, 0, to_device, 0));
    ASK(cudaMemcpyFromSymbol(local, table, 32, 0, to_host));
    ASK(cudaMemcpyFromSymbol(local, table, 33, 0, to_host));
    ASK(cudaMemcpyFromSymbol(local, table, 4, 0, to_device));
    ASK(cudaMemcpyFromSymbol(memory, table, 4, 0, cudaMemcpyDeviceToDevice));
    ASK(cudaMemcpyFromSymbol(local, table, 4, 0, cudaMemcpyHostToHost));
    ASK(cudaMemcpyFromSymbol(local, &not_registered, 4, 0, to_host));
    ASK(cudaMemcpyFromSymbolAsync(local, table, 4, 28, to_host, 0));
    ASK(cudaGetSymbolAddress(&at, &not_registered));
    ASK(cudaGetSymbolAddress(&at, total));
    ASK(cudaGetSymbolAddress(NULL, total));
    ASK(cudaGetSymbolAddress(&at, NULL));
    ASK(cudaGetSymbolAddress(&at, store));
    ASK(cudaGetSymbolSize(&bytes, table));
    TELL("bytes %zu", bytes);
    ASK(cudaGetSymbolSize(NULL, table));
    ASK(cudaGetSymbolSize(&bytes, &not_registered));
    ASK(cudaFree(at));
}

const struct group symbol_groups[] = { { "symbols", ask_symbols }, { NULL, NULL } };
