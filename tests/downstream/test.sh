#!/usr/bin/env bash
# Builds and runs the downstream crate: with the default features on any machine, then each way of linking where
# scripts/real-libs.sh has run. Checks what the programs ask the system's loader for.
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$root/target}/downstream

fail() {
    echo "downstream: $*" >&2
    exit 1
}

# needed PROGRAM: the CUDA libraries that the program names, on one line.
needed() {
    readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(libcuda[^]]*\)\]/\1/p' | paste -sd ' '
}

# expect WHAT PROGRAM NEEDED: checks the libraries.
expect() {
    [ "$(needed "$2")" = "$3" ] || fail "$1: needs '$(needed "$2")', expected '$3'"
}

# runs RUNTIME PROGRAM: success with a GPU, or the diagnosis with status 2; never a panic. It has found this version of
# the runtime, whichever if empty.
runs() {
    local runtime=$1 status=0 out
    shift
    out=$("$@" 2>&1) || status=$?
    [ -z "$runtime" ] || [ "$(head -1 <<<"$out")" = "runtime $runtime" ] || fail "$*: expected runtime $runtime: $out"
    case $status in
        0) grep -q "both layers doubled" <<<"$out" || fail "$*: $out" ;;
        2) [ -n "$out" ] && ! grep -q panicked <<<"$out" || fail "$*: $out" ;;
        *) fail "$*: status $status: $out" ;;
    esac
    echo "downstream: $*: status $status, $(head -1 <<<"$out")"
}

program=$CARGO_TARGET_DIR/debug/downstream
cargo build -q
expect "default" "$program" ""
runs "" "$program"
# An optimising linker drops or adds nothing (--as-needed is its default in many distributions).
cargo build -q --release
expect "default, release" "$CARGO_TARGET_DIR/release/downstream" ""

real=$root/.real-libs
if [ ! -e "$real/driver-535/libcuda.so.1" ]; then
    echo "downstream: no real libraries: linking is not tested"
    exit 0
fi
export CUDA_HOME=$real/toolkit-13.5
# With nvcc: the kernel of the default program comes from it.
cargo build -q
runs 13.5 "$program"

CUDA_RT_DRIVER_LINK_DIR=$real/driver-535 cargo build -q --features link-driver
expect "link-driver" "$program" libcuda.so.1
runs 13.5 env LD_LIBRARY_PATH="$real/driver-535" "$program"
cargo build -q --features link-runtime
expect "link-runtime" "$program" libcudart.so.13
runs 13.5 env LD_LIBRARY_PATH="$CUDA_HOME/lib" "$program"
cargo build -q --features static-runtime
expect "static-runtime" "$program" ""
runs 13.5 env -u CUDA_HOME "$program"
CUDA_HOME=$real/toolkit-12.9 cargo build -q --features link-runtime
expect "link-runtime 12.9" "$program" libcudart.so.12
runs 12.9 env LD_LIBRARY_PATH="$real/toolkit-12.9/lib" "$program"
echo "downstream: all of it"
