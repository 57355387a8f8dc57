#!/usr/bin/env bash
# Runs the tests. First fetches the real CUDA libraries that need no GPU, once, into .real-libs (scripts/real-libs.sh);
# without them, or offline, the tests that need them show as ignored. Arguments go to `cargo test`:
#
#     scripts/test.sh                    everything
#     scripts/test.sh -p cuda-rt saxpy   what these words select
#
# REAL_LIBS=required  their absence is an error (as in CI)
# REAL_LIBS=skip      they are not fetched
set -euo pipefail
cd "$(dirname "$0")/.."

stamps() { cat .real-libs/*/.packages 2>/dev/null || true; }
before=$(stamps)
case "${REAL_LIBS:-try}" in
    required) scripts/real-libs.sh ;;
    skip) ;;
    *) scripts/real-libs.sh || echo "test.sh: no real CUDA libraries; the tests that need them are ignored" >&2 ;;
esac
# The build scripts look for them, and nothing tells cargo that they came: they are made to run again.
if [ "$before" != "$(stamps)" ]; then
    touch build.rs ./*/build.rs
fi

[ $# -gt 0 ] || set -- --workspace
exec cargo test "$@"
