#!/usr/bin/env bash
# Makes files of the simulator that stand in for NVIDIA's libraries: any program that loads or links libcuda and
# libcudart runs on them, with no GPU and no rebuild.
#
#     scripts/sim-libs.sh                      into target/sim-libs: libcuda.so.1, libcudart.so.12, libcudart.so.13
#     LD_LIBRARY_PATH=target/sim-libs program
#
# The functions of libcudart.so.N carry its name as their version, as in the real file; those of libcuda carry none.
# The machine is described by the environment: docs/simulator.md. Needs cargo and gcc, on Linux with glibc.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=${CARGO_TARGET_DIR:-$PWD/target}
out=$target/sim-libs
build=$out/build
source=$PWD/cuda-sim/file
# A folder of its own: the same crate as a library of Rust would be built anew again and again.
CARGO_TARGET_DIR=$build cargo rustc -q -p cuda-sim --lib --release --crate-type staticlib
archive=$build/release/libcuda_sim.a
mkdir -p "$build/c"
system=(-lpthread -ldl -lm)
strict=(-O2 -fPIC -fvisibility=hidden -Wall -Wextra -Werror)

gcc "${strict[@]}" "$source/names.c" "$archive" "${system[@]}" -o "$build/c/names"

# file LAYER NAME TAG SOURCE GCC_ARGUMENT...: TAG is the version of the functions, or nothing.
file() {
    local layer=$1 name=$2 tag=$3 unit=$4 folder=$build/c/$2
    shift 4
    mkdir -p "$folder"
    "$build/c/names" "$layer" | sort -u >"$folder/names"
    [ "$(wc -l <"$folder/names")" -gt 40 ] || { echo "sim-libs: $name would export next to nothing" >&2; exit 1; }
    sed 's/.*/FUNCTION(&)/' "$folder/names" >"$folder/${unit%.c}.inc"
    {
        echo "$tag {"
        echo "global:"
        sed 's/$/;/' "$folder/names"
        [ "$layer" != 0 ] || echo "cuda_sim_export; cuda_sim_loaded;"
        echo "local: *;"
        echo "};"
    } >"$folder/versions"
    gcc "${strict[@]}" -shared -DMAJOR="$layer" -I"$folder" -I"$source" "$source/$unit" "$@" \
        -Wl,-soname,"$name" -Wl,--version-script,"$folder/versions" -Wl,-z,now -Wl,--gc-sections -s -o "$folder/$name"
    # In one step: a program may have the old one open.
    mv "$folder/$name" "$out/$name"
}

file 0 libcuda.so.1 "" driver.c "$archive" "${system[@]}"
for major in 12 13; do
    file "$major" "libcudart.so.$major" "libcudart.so.$major" runtime.c -L"$out" -l:libcuda.so.1 -Wl,-rpath,'$ORIGIN'
done
