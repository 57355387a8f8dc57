#!/usr/bin/env bash
# Programs on the simulator's files in the place of libcuda and libcudart (scripts/sim-libs.sh): one in C, and the GPU
# tests of cuda-rt, unchanged. A race, an access out of bounds or the like is a failure even where the data came out right.
#
#     scripts/sim-gpu-tests.sh [SEED...]      seeds 0 to 7, each schedule, unless given
#
# Needs cargo and gcc, on Linux with glibc. Prints `test result:` lines, so that a count of tests counts these too.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=${CARGO_TARGET_DIR:-$PWD/target}
libs=$target/sim-libs
seeds=("$@")
[ ${#seeds[@]} -gt 0 ] || seeds=(0 1 2 3 4 5 6 7)
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT
failed=0

scripts/sim-libs.sh

# expect WHAT STATUS WORDS COMMAND...: its exit status, and words of what it prints.
expect() {
    local what=$1 wanted=$2 words=$3 status=0
    shift 3
    "$@" >"$log/out" 2>&1 || status=$?
    if [ "$status" -eq "$wanted" ] && grep -q -- "$words" "$log/out"; then
        echo "test result: ok. 1 passed; 0 failed; $what"
    else
        echo "test result: FAILED. 0 passed; 1 failed; $what: status $status, expected $wanted with \"$words\""
        cat "$log/out"
        failed=1
    fi
}

# A foreign program.
for major in 12 13; do
    program=$log/saxpy-$major
    gcc -Wall -Wextra -Werror -O1 cuda-sim/tests/foreign/saxpy.c -L"$libs" -l:libcuda.so.1 "-l:libcudart.so.$major" -o "$program"
    run=(env LD_LIBRARY_PATH="$libs" CUDA_SIM_FATAL=1)
    for seed in "${seeds[@]}"; do
        expect "C, runtime $major, seed $seed" 0 "driver 13000, runtime $major" \
            "${run[@]}" CUDA_SIM_SEED="$seed" "$program" kernels/saxpy.ptx
        expect "C, a missing wait, runtime $major, seed $seed" 86 "Race: .*cuMemcpyDtoHAsync_v2.*nothing puts the two in order" \
            "${run[@]}" CUDA_SIM_SEED="$seed" "$program" kernels/saxpy.ptx missing-wait
    done
    expect "C, an allocation fails on demand, runtime $major" 1 'cuMemAlloc_v2(&dy, BYTES) = 2' \
        "${run[@]}" CUDA_SIM_LEAKS=0 CUDA_SIM_FAIL=cuMemAlloc:2:2 "$program" kernels/saxpy.ptx
    expect "C, no device, runtime $major" 1 'cuInit(0) = 100' \
        "${run[@]}" CUDA_VISIBLE_DEVICES= "$program" kernels/saxpy.ptx
done
expect "C, driver 12.2 and runtime 13" 1 "cudaStreamCreate\|cudaLibraryLoadData.* = 35" \
    "${run[@]}" CUDA_SIM_LEAKS=0 CUDA_SIM_DRIVER=12.2 "$log/saxpy-13" kernels/saxpy.ptx
expect "C, driver 12.2 and runtime 12.8" 0 "driver 12020, runtime 12080" \
    "${run[@]}" CUDA_SIM_DRIVER=12.2 CUDA_SIM_RUNTIME=12.8 "$log/saxpy-12" kernels/saxpy.ptx
expect "C, a version that is none" 134 "CUDA_SIM_DRIVER=new means nothing" \
    "${run[@]}" CUDA_SIM_DRIVER=new "$log/saxpy-13" kernels/saxpy.ptx

# cuda-rt's GPU tests. `in_child` starts the binaries again, so they get their environment by exporting it.
build=(cargo test -q -p cuda-rt --features gpu)
"${build[@]}" --no-run --test saxpy --test order --test errors --test context
export CUDA_RT_DRIVER_LIBRARY=$libs/libcuda.so.1 CUDA_SIM_LEAKS=0

# tests ARGUMENT...: with each runtime and the seeds of `seeds`.
tests() {
    local major seed
    for major in 12 13; do
        for seed in "${seeds[@]}"; do
            echo "runtime $major, seed $seed, CUDA_SIM_FATAL=$CUDA_SIM_FATAL: ${*#--}"
            CUDA_SIM_SEED=$seed CUDA_RT_RUNTIME_LIBRARY=$libs/libcudart.so.$major "${build[@]}" "$@" || failed=1
        done
    done
}

# What can't run here, and why (docs/simulator.md has the list): time is not simulated; work that nobody waits for need
# not end, nor be unfinished; handles are used again for half of the seeds only; there is no managed memory. A fault on
# purpose is a finding.
skip=(--skip timed_ --skip query_and_wait_leave --skip empty_context_stack --skip many_short_lived_streams
    --skip report_176 --skip report_044 --skip late_fault)
CUDA_SIM_FATAL=1 tests --test order --test errors --test context -- "${skip[@]}"
CUDA_SIM_FATAL=0 tests --test errors -- report_044 late_fault
# 16 million elements: one seed.
seeds=(3)
CUDA_SIM_FATAL=1 tests --test saxpy
# With a device that does at once what it may, and handles that are used again.
seeds=(1 9)
CUDA_SIM_FATAL=1 tests --test context -- empty_context_stack

[ "$failed" -eq 0 ] || { echo "sim-gpu-tests: FAILED"; exit 1; }
echo "sim-gpu-tests: ok"
