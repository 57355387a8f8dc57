#!/usr/bin/env bash
# Brings the real CUDA libraries that exist without a GPU into .real-libs/ (not under version
# control): tests run against them, and `cargo xtask bindgen` reads their headers.
#
#   .real-libs/toolkit-13.5/{include,lib,bin,nvvm}   headers, cudart, nvcc, NVRTC 13.5 (CUDA_HOME)
#   .real-libs/toolkit-13.0/{include,lib}            headers, cudart 13.0
#   .real-libs/toolkit-12.9/{include,lib}            headers, cudart 12.9
#   .real-libs/toolkit-12.4/{include,lib}            headers, cudart 12.4
#   .real-libs/cudart-11.8/lib/libcudart.so.11.0     a major that is refused by name
#   .real-libs/driver-535/libcuda.so.1               the driver library of CUDA 12.2, no GPU needed
#
# Uses python3 with pip, apt-get (as root, on Debian or a relative of it) and dpkg-deb. Nothing is
# installed and no setting of the system changes: packages are unpacked into the folder. What is
# there already is kept, so that a second run takes no time. `--force` starts anew.
# NVIDIA's licences for these files apply; the folder is for testing and is never shipped.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
out=${CUDA_RT_REAL_LIBS:-$root/.real-libs}

fail() {
    echo "real-libs: $*" >&2
    exit 1
}

if [ "$(uname -s)-$(uname -m)" != Linux-x86_64 ]; then
    fail "only x86-64 Linux is known here, not $(uname -s) on $(uname -m)"
fi
mkdir -p "$out"
# Two runs at once would trip over each other.
exec 9>"$out/.lock"
flock 9
if [ "${1:-}" = --force ]; then
    find "$out" -mindepth 1 -maxdepth 1 ! -name .lock -exec rm -rf {} +
fi

# need FILE...: each exists and is not empty.
need() {
    local file
    for file in "$@"; do
        [ -s "$out/$file" ] || fail "$out/$file is missing or empty after unpacking"
    done
}

# have FOLDER STAMP: the folder was completed from this very list of packages.
have() {
    [ "$(cat "$out/$1/.packages" 2>/dev/null)" = "$2" ]
}

# wheels FOLDER INNER PACKAGE...: unpacks wheels; INNER, a folder inside them, becomes FOLDER.
wheels() {
    local folder=$1 inner=$2 tmp
    shift 2
    have "$folder" "$*" && return
    command -v python3 >/dev/null || fail "python3 is needed (apt-get install python3 python3-pip)"
    python3 -m pip --version >/dev/null 2>&1 || fail "pip is needed (apt-get install python3-pip)"
    echo "real-libs: $folder: $*"
    tmp=$(mktemp -d "$out/.tmp.XXXXXX")
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
        --platform manylinux2014_x86_64 --platform manylinux_2_17_x86_64 --platform manylinux1_x86_64 \
        --dest "$tmp/wheels" "$@" || fail "pip could not download: $*"
    python3 - "$tmp" "$tmp"/wheels/*.whl <<'PY' || fail "could not unpack: $*"
import os, sys, zipfile
for name in sys.argv[2:]:
    with zipfile.ZipFile(name) as wheel:
        for info in wheel.infolist():
            path = wheel.extract(info, os.path.join(sys.argv[1], "tree"))
            mode = info.external_attr >> 16
            if mode & 0o111 and not info.is_dir():
                os.chmod(path, 0o755)
PY
    rm -rf "${out:?}/$folder"
    mkdir -p "$out/$folder"
    local part
    # Split wheels have one folder per package (cuda_runtime, cuda_nvcc): they are laid together.
    for part in $inner; do
        [ -d "$tmp/tree/nvidia/$part" ] || fail "no nvidia/$part in: $*"
        cp -a "$tmp/tree/nvidia/$part/." "$out/$folder/"
    done
    rm -rf "$tmp"
    echo "$*" >"$out/$folder/.packages"
    changed=1
}

# The driver library, from the component non-free of the Debian archive that this system uses
# already, through package lists of our own.
driver() {
    local folder=driver-535 package=libcuda1 suite=bookworm tmp uri
    have "$folder" "$package $suite" && return
    command -v apt-get >/dev/null || fail "apt-get is needed for $package"
    command -v dpkg-deb >/dev/null || fail "dpkg-deb is needed for $package"
    echo "real-libs: $folder: $package ($suite, non-free)"
    # What is configured counts, whether or not its lists were fetched; an archive that serves another
    # release of Debian serves this one too.
    local sources
    sources=$(apt-get indextargets --no-release-info --format '$(CREATED_BY)|$(RELEASE)|$(COMPONENT)|$(REPO_URI)')
    uri=$(sed -n "s/^Packages|$suite|main|//p" <<<"$sources" | head -n 1)
    [ -n "$uri" ] || uri=$(sed -n 's/^Packages|[^|]*|main|\(.*\/debian\/*\)$/\1/p' <<<"$sources" | head -n 1)
    [ -n "$uri" ] || fail "no archive of Debian is configured in apt, so that $package can't be had"
    tmp=$(mktemp -d "$out/.tmp.XXXXXX")
    chmod 755 "$tmp"
    mkdir -p "$tmp/sources" "$tmp/lists/partial" "$tmp/cache/archives/partial"
    printf 'Types: deb\nURIs: %s\nSuites: %s\nComponents: non-free\nSigned-By: %s\n' \
        "$uri" "$suite" /usr/share/keyrings/debian-archive-keyring.gpg >"$tmp/sources/non-free.sources"
    local options=(-qq -o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$tmp/sources"
        -o "Dir::State::lists=$tmp/lists" -o "Dir::Cache=$tmp/cache" -o APT::Sandbox::User=root)
    apt-get "${options[@]}" update || fail "could not read the package list of non-free"
    (cd "$tmp" && apt-get "${options[@]}" download "$package") || fail "could not download $package"
    dpkg-deb -x "$tmp/$package"_*.deb "$tmp/tree" || fail "could not unpack $package"
    rm -rf "${out:?}/$folder"
    mkdir -p "$out/$folder"
    cp -a "$tmp"/tree/usr/lib/x86_64-linux-gnu/nvidia/current/libcuda.so.* "$out/$folder/"
    rm -rf "$tmp"
    echo "$package $suite" >"$out/$folder/.packages"
    changed=1
}

changed=0
find "$out" -mindepth 1 -maxdepth 1 -name '.tmp.*' -exec rm -rf {} +

wheels toolkit-13.5 cu13 nvidia-cuda-runtime==13.5.37 nvidia-cuda-crt==13.5.37 \
    nvidia-cuda-nvcc==13.5.37 nvidia-nvvm==13.5.37 nvidia-cuda-nvrtc==13.5.37 \
    nvidia-cuda-cccl==13.3.5.0.6
wheels toolkit-13.0 cu13 nvidia-cuda-runtime==13.0.96 nvidia-cuda-crt==13.0.88
wheels toolkit-12.9 "cuda_nvcc cuda_runtime" nvidia-cuda-runtime-cu12==12.9.79 nvidia-cuda-nvcc-cu12==12.9.86
wheels toolkit-12.4 "cuda_nvcc cuda_runtime" nvidia-cuda-runtime-cu12==12.4.127 nvidia-cuda-nvcc-cu12==12.4.131
wheels cudart-11.8 cuda_runtime nvidia-cuda-runtime-cu11==11.8.89
driver

need toolkit-13.5/include/{cuda,cuda_runtime_api,cudaTypedefs,nvrtc,crt/host_defines}.h \
    toolkit-13.5/lib/{libcudart.so.13,libcudart_static.a,libnvrtc.so.13} \
    toolkit-13.5/bin/{nvcc,ptxas,fatbinary} toolkit-13.5/nvvm/bin/cicc \
    toolkit-13.0/include/{cuda,cuda_runtime_api,crt/host_defines}.h \
    toolkit-13.0/lib/{libcudart.so.13,libcudart_static.a} \
    toolkit-12.9/include/{cuda,cuda_runtime_api,crt/host_defines}.h \
    toolkit-12.9/lib/{libcudart.so.12,libcudart_static.a} \
    toolkit-12.4/include/{cuda,cuda_runtime_api,crt/host_defines}.h \
    toolkit-12.4/lib/libcudart.so.12 \
    cudart-11.8/lib/libcudart.so.11.0 driver-535/libcuda.so.1
[ -x "$out/toolkit-13.5/bin/nvcc" ] || fail "nvcc is not executable"
# Build scripts watch this file: it tells them to look again whether the libraries are there.
if [ $changed = 1 ]; then touch "$root/scripts/real-libs.sh"; fi
echo "real-libs: complete in $out"
