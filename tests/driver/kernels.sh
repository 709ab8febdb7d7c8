#!/bin/sh
# Makes kernels.ptx and cond.ptx of the .cu files beside it, and cond.cubin for GPUs of
# ARCH if one is named:  tests/driver/kernels.sh [NVCC [ARCH]],  as in  kernels.sh nvcc sm_90
set -eu
cd "$(dirname "$0")"
nvcc=${1:-nvcc}
"$nvcc" -arch=compute_75 -ptx kernels.cu -o kernels.ptx
"$nvcc" -arch=compute_75 -rdc=true -ptx cond.cu -o cond.ptx
[ $# -lt 2 ] || "$nvcc" -arch="$2" -rdc=true -dlink -cubin cond.cu -o cond.cubin -lcudadevrt
