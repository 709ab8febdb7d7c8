# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=sh
#
# The programs of tools/third-party: what they need, and how each is run. That tool sets
# what is used here:
#   $program   which of them is run
#   $check     whether under the layer check: yes or no
#   $rill      the command
#   $tests     the folder of this file
#   $folder    that of the build, which is the current one
# shellcheck disable=SC2154

# ---- What they are ---------------------------------------------------------------

# shellcheck disable=SC2034 # that tool
all_programs="openmp openacc offload omptarget ffmpeg boinc hashcat numba pycuda"

title_of() {
  case $1 in
  openmp) echo "OpenMP by GCC: libgomp and its plugin for NVIDIA's devices" ;;
  openacc) echo "OpenACC by GCC: the same plugin, with queues" ;;
  offload) echo "OpenMP by GCC on the device: its kernels, its libgomp, libm and libc, linked" ;;
  omptarget) echo "OpenMP by LLVM: what libomptarget's plugin says of the devices" ;;
  ffmpeg) echo "ffmpeg: pictures to the device and back" ;;
  boinc) echo "BOINC's client: what it detects" ;;
  hashcat) echo "hashcat: hashes of words, by kernels that NVRTC compiles" ;;
  numba) echo "numba: its own tests of its driver layer" ;;
  pycuda)
    echo "PyCUDA: its own tests, with the kernels that nvcc compiles for them; nvcc 11 has" \
      "references to textures and surfaces, whose tests pass then"
    ;;
  esac
}

# How somebody runs it who has it and this checkout: what the sections of doc/third-party.md
# begin with.
by_hand() {
  case $1 in
  openmp)
    echo "gcc-12 -O1 -fopenmp -foffload=disable tests/third-party/openmp.c -o openmp"
    echo "rill run --devices 2 ./openmp"
    ;;
  openacc)
    echo "gcc-12 -O1 -fopenacc -foffload=disable tests/third-party/openacc.c -o openacc"
    echo "rill run ./openacc"
    ;;
  offload)
    echo "gcc-12 -O2 -fopenmp -foffload=nvptx-none -foffload-options=-Wa,--no-verify \\"
    echo "  -foffload-options=-lm -foffload-options=-latomic tests/third-party/offload.c -o offload -lm"
    echo "rill run --devices 2 ./offload"
    ;;
  omptarget) echo "rill run --devices 2 llvm-omp-device-info-14" ;;
  ffmpeg)
    echo "rill run ffmpeg -init_hw_device cuda=gpu:0 -filter_hw_device gpu -i in.mp4 \\"
    echo "  -vf format=nv12,hwupload,hwdownload,format=nv12 out.mp4"
    ;;
  boinc) echo "rill run --devices 2 boinc --detect_gpus" ;;
  hashcat)
    echo "LD_LIBRARY_PATH=/usr/local/cuda/lib64 rill run hashcat --backend-ignore-opencl \\"
    echo "  -m 0 -a 0 5d41402abc4b2a76b9719d911017c592 words.txt"
    ;;
  numba) echo "rill run --driver 12.4 --devices 2 python3 -m numba.runtests numba.cuda.tests.cudadrv" ;;
  pycuda)
    echo "export PATH=\$PWD/tests/third-party/pycuda:\$PATH PYCUDA_DISABLE_CACHE=1"
    echo "rill run python3 program.py"
    ;;
  esac
}

# Debian's packages of a program, in the order of what they are wanted for. PyCUDA itself is
# not installed, for it depends on NVIDIA's driver.
packages_of() {
  case $1 in
  openmp | openacc) echo gcc-12 libgomp-plugin-nvptx1 ;;
  offload) echo gcc-12 libgomp-plugin-nvptx1 gcc-12-offload-nvptx ;;
  omptarget) echo libomp-14-dev ;;
  ffmpeg) echo ffmpeg ;;
  boinc) echo boinc-client ;;
  hashcat) echo pocl-opencl-icd hashcat ;;
  numba) echo python3-numba ;;
  pycuda)
    echo libboost-python1.74.0 libboost-thread1.74.0 python3-appdirs python3-decorator \
      python3-mako python3-numpy python3-pytest python3-pytools
    ;;
  esac
}

# ---- How they are run ------------------------------------------------------------
# Each function prints a line for each of its tests: "pass|fail|skip NAME [WHY]". What
# else they print goes to stderr, and from there to a log.

# Under --check each run has a folder for the reports of its processes.
over() {
  [ "$check" = no ] || {
    reports=$(mktemp -d "check/$program.XXXXXX") || return
    set -- --check "--log-file=$(escaped "$folder/$reports")/%p.txt" "$@"
  }
  timeout -k 20 "${seconds:-600}" "$rill" run "$@"
}

# For names of files in which "%" stands for something.
escaped() {
  printf '%s\n' "$1" | sed 's/%/%%/g'
}

# passes NAME COMMAND...
passes() {
  name=$1
  shift
  if "$@" >&2; then echo "pass $name"; else echo "fail $name"; fi
}

run_openmp() {
  gcc-12 -O1 -fopenmp -foffload=disable "$tests/openmp.c" -o openmp >&2 || return
  over --devices 2 ./openmp || echo "openmp ended with $?" >&2
}

run_openacc() {
  gcc-12 -O1 -fopenacc -foffload=disable "$tests/openacc.c" -o openacc >&2 || return
  over ./openacc || echo "openacc ended with $?" >&2
}

# With the kernels that GCC makes of them. Its assembler would ask the ptxas of a CUDA that is
# installed, which may be too new for the devices that GCC compiles for.
run_offload() {
  gcc-12 -O2 -fopenmp -foffload=nvptx-none -foffload-options=-Wa,--no-verify \
    -foffload-options=-lm -foffload-options=-latomic "$tests/offload.c" -o offload -lm >&2 ||
    return
  over --devices 2 ./offload || echo "offload ended with $?" >&2
}

run_omptarget() {
  over --devices 2 llvm-omp-device-info-14 > omptarget.txt 2>&1
  cat omptarget.txt >&2
  passes finds_two_devices test "$(grep -c 'CUDA Device Number:' omptarget.txt)" -eq 2
  passes prints_the_driver grep -q 'CUDA Driver Version:[[:space:]]*13000' omptarget.txt
  passes prints_attributes grep -q 'Warp Size:[[:space:]]*32 ' omptarget.txt
}

# What ffmpeg makes of a test picture that takes this way.
pictures() {
  "$@" -f md5 -
}

same_pictures() {
  source="testsrc=size=320x240:rate=10:duration=2"
  devices=$1 device=$2 way=$3
  want=$(pictures ffmpeg -v error -nostdin -f lavfi -i "$source" -vf format=nv12) || return
  got=$(pictures over --devices "$devices" ffmpeg -v error -nostdin \
    -init_hw_device "cuda=gpu:$device" -filter_hw_device gpu \
    -f lavfi -i "$source" -vf "format=nv12,$way") || return
  echo "$way: $got, without it $want" >&2
  test -n "$want" && test "$got" = "$want"
}

run_ffmpeg() {
  passes upload_and_download same_pictures 1 0 hwupload,hwdownload,format=nv12
  passes upload_cuda_and_download same_pictures 1 0 hwupload_cuda,hwdownload,format=nv12
  passes in_the_primary_context same_pictures 1 0,primary_ctx=1 hwupload,hwdownload,format=nv12
  passes on_the_second_device same_pictures 2 1 hwupload,hwdownload,format=nv12
  passes up_and_down_twice same_pictures 1 0 \
    hwupload,hwdownload,format=nv12,hwupload,hwdownload,format=nv12
}

run_boinc() {
  rm -rf boinc
  mkdir boinc
  passes detects_gpus over --devices 2 boinc --dir "$folder/boinc" --detect_gpus
  cat boinc/coproc_info.xml >&2
  passes finds_two_devices test "$(grep -c '<coproc_cuda>' boinc/coproc_info.xml)" -eq 2
  passes reads_the_driver grep -q '<cudaVersion>13000</cudaVersion>' boinc/coproc_info.xml
  passes reads_properties grep -q '<warpSize>32</warpSize>' boinc/coproc_info.xml
}

# The folder of the compiler that NVIDIA gives to programs, which hashcat's kernels need and
# Debian's main archive does not have.
find_nvrtc() {
  for library in $(ldconfig -p | sed -n 's/.*libnvrtc\.so => //p') \
    "${CUDA_HOME:-/usr/local/cuda}"/lib64/libnvrtc.so; do
    [ ! -e "$library" ] || { dirname "$library"; return; }
  done
}

# cracks WORD ARGUMENTS...: hashcat finds that word, and its test of the kernel passes.
cracks() {
  word=$1
  shift
  rm -f hashcat.found
  XDG_DATA_HOME=$folder/hashcat XDG_CACHE_HOME=$folder/hashcat \
    LD_LIBRARY_PATH=$nvrtc${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} over hashcat \
    --backend-ignore-opencl --potfile-disable --outfile hashcat.found --outfile-format 2 \
    "$@" > hashcat.txt 2>&1
  cat hashcat.txt >&2
  ! grep -q 'Self-test failed' hashcat.txt && test "$(cat hashcat.found)" = "$word"
}

hash_of() {
  printf %s "$2" | "$1" | cut -d ' ' -f 1
}

run_hashcat() {
  nvrtc=$(find_nvrtc)
  [ -n "$nvrtc" ] || {
    for name in md5_by_words sha256_by_mask sha1_with_salt; do
      echo "skip $name there is no NVRTC, which hashcat compiles its kernels with"
    done
    return
  }
  printf '%s\n' one two hello rill > hashcat.words
  passes md5_by_words cracks hello -m 0 -a 0 "$(hash_of md5sum hello)" hashcat.words
  passes sha256_by_mask cracks zab -m 1400 -a 3 "$(hash_of sha256sum zab)" '?l?l?l'
  passes sha1_with_salt cracks rill -m 110 -a 0 "$(hash_of sha1sum rillsalt):salt" \
    hashcat.words
}

# Over a driver that does not have the names of CUDA 13 yet, which this numba would take for
# older calls.
run_numba() {
  over --driver 12.4 --devices 2 /usr/bin/python3 "$tests/numba_tests.py"
}

# The folder of the CUDA toolkit that has nvcc, which Debian's main archive does not have either.
find_toolkit() {
  for nvcc in "$(command -v nvcc)" "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc"; do
    [ ! -x "$nvcc" ] || { dirname "$(dirname "$(readlink -f "$nvcc")")"; return; }
  done
}

# device_runtime_in TOOLKIT: the folder of the libcudadevrt.a that its nvcc links, wherever the
# toolkit keeps it; nothing if it has none.
device_runtime_in() {
  : > empty.cu
  "$1/bin/nvcc" --dryrun empty.cu 2>&1 | sed -n 's/^#\$ LIBRARIES=//p' | tr ' ' '\n' |
    sed -n 's/^"*-L\([^"]*\)"*$/\1/p' | while read -r searched; do
      [ ! -f "$searched/libcudadevrt.a" ] || { readlink -f "$searched"; break; }
    done
}

# A file of tests, which may have hundreds, with a kernel or two to compile in each. PyCUDA looks
# for the device's runtime where it looks for libraries, and its cache of kernels would call nvcc in
# another way. Its largest tests, of 4 GB and more, are skipped for the host memory that they take:
# 9 GB.
run_pycuda_file() {
  seconds=600 RILL_SIM_MEMORY=4000M PATH=$tests/pycuda:$PATH \
    CUDA_HOME=$toolkit PYCUDA_DISABLE_CACHE=1 \
    LD_LIBRARY_PATH=$libraries${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} \
    PYTHONPATH=$folder/pycuda/usr/lib/python3/dist-packages \
    over /usr/bin/python3 "$tests/pycuda/tests.py" \
    "$folder/pycuda/usr/share/doc/python-pycuda-doc/examples/$1.py"
}

run_pycuda() {
  toolkit=$(find_toolkit)
  [ -n "$toolkit" ] || {
    echo "skip all there is no nvcc, which PyCUDA compiles its kernels with"
    return
  }
  contrib_packages "$folder/pycuda" python3-pycuda python-pycuda-doc || {
    echo "skip all python3-pycuda of Debian's contrib cannot be had"
    return
  }
  libraries=$(device_runtime_in "$toolkit")
  : "${libraries:=$toolkit/lib64}"
  for file in test_driver test_cumath test_gpuarray; do
    run_pycuda_file "$file" || echo "fail $file it ended with $?"
  done
}

# One with a missing wait, which --check has to find.
run_control() {
  cc -g "$tests/control.c" -o control -L src/standin -lcuda >&2 || return
  over ./control
}
