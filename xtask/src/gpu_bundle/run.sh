#!/usr/bin/env bash
# Runs this bundle on a host with an NVIDIA GPU. Needs the driver and bash; no Rust, no toolkit, no network.
#
#     ./run.sh [--results DIR] [--no-sanitizer] [--no-benches] [--only tests|examples|sanitizer|benches]
#
# Every test binary, the examples, then tests under compute-sanitizer where that is installed, then the benches.
# DIR (default: results) gets summary.md and a log of each run. The last line is `N passed, N failed`.
set -uo pipefail
cd "$(dirname "$0")" || exit 1

results=results
sanitizer=yes
benches=yes
only=all
while [ $# -gt 0 ]; do
    case $1 in
        --results) results=$2; shift ;;
        --no-sanitizer) sanitizer=no ;;
        --no-benches) benches=no ;;
        --only) only=$2; shift ;;
        *) echo "run.sh: what is $1?" >&2; exit 2 ;;
    esac
    shift
done
rm -rf "$results/logs"
mkdir -p "$results/logs"
# A binary runs at most this long, in seconds: a kernel that never ends must not hold the whole run.
limit=${LIMIT:-300}
passed=0
failed=0
rows=()

# row NAME PASSED FAILED IGNORED SECONDS NOTE
row() {
    local note=${6//"$PWD/"/}
    passed=$((passed + $2))
    failed=$((failed + $3))
    rows+=("| $1 | $2 | $3 | $4 | $5 | $note |")
    printf '%-58s %4s passed %3s failed %3s ignored  %5s s  %s\n' "$1" "$2" "$3" "$4" "$5" "$note"
}

# counts LOG: passed, failed, ignored over every `test result:` line of a log.
counts() {
    awk '/^test result:/ { for (i = 1; i < NF; i++) { if ($(i + 1) == "passed;") p += $i; if ($(i + 1) == "failed;") f += $i
        if ($(i + 1) == "ignored;") g += $i } } END { print p + 0, f + 0, g + 0 }' "$1"
}

# test_binary NAME COMMAND...: a libtest binary; one that ends otherwise than with its counts is one failure.
test_binary() {
    local name=$1 log status=0 start=$SECONDS p f g note=
    shift
    log=$results/logs/$(printf %s "$name" | tr -c 'A-Za-z0-9._-' _).log
    timeout --kill-after=10 "$limit" "$@" >"$log" 2>&1 || status=$?
    read -r p f g < <(counts "$log")
    if [ "$status" -ne 0 ]; then
        note="exit status $status"
        [ "$status" -ne 124 ] || note="stopped after $limit s"
        [ "$f" -gt 0 ] || f=1
        grep -E '^test .*FAILED|panicked at|^error' "$log" | head -20
    fi
    row "$name" "$p" "$f" "$g" "$((SECONDS - start))" "$note"
}

# program NAME COMMAND...: passes if it exits with 0, and not on the simulator; its first line goes into the note.
program() {
    local name=$1 log status=0 start=$SECONDS
    shift
    log=$results/logs/$(printf %s "$name" | tr -c 'A-Za-z0-9._-' _).log
    timeout --kill-after=10 "$limit" "$@" >"$log" 2>&1 || status=$?
    if grep -q '^simulated device' "$log"; then
        row "$name" 0 1 0 "$((SECONDS - start))" "$(head -1 "$log")"
    elif [ "$status" -eq 0 ]; then
        row "$name" 1 0 0 "$((SECONDS - start))" "$(head -1 "$log")"
    else
        row "$name" 0 1 0 "$((SECONDS - start))" "exit status $status"
        tail -20 "$log"
    fi
}

# The runtimes in the bundle, newest first: most GPU hosts have no libcudart where programs find it.
mapfile -t runtimes < <(ls -d runtime/*/libcudart.so.* 2>/dev/null | sort -rV)
default=${runtimes[0]:+$PWD/${runtimes[0]}}

run_tests() {
    local binary name runtime
    for binary in tests/*; do
        name=${binary#tests/}
        case $name in
            # The crates that find libraries are tested with what the host has.
            cuda-rt-* | cuda-sim-*) test_binary "$name" env ${default:+CUDA_RT_RUNTIME_LIBRARY="$default"} "$binary" ;;
            *) test_binary "$name" "$binary" ;;
        esac
    done
    # Those that use the GPU again, with each of the other runtimes.
    for runtime in "${runtimes[@]:1}"; do
        while read -r name; do
            test_binary "$name, ${runtime#runtime/}" env CUDA_RT_RUNTIME_LIBRARY="$PWD/$runtime" "tests/$name"
        done < <(cat GPU_TESTS; cd tests && ls -d cuda-sim-* 2>/dev/null)
    done
}

run_examples() {
    local size runtime
    program "cuda-doctor" env ${default:+CUDA_RT_RUNTIME_LIBRARY="$default"} bin/cuda-doctor
    for size in 1 1000 16777219; do
        program "saxpy $size" env ${default:+CUDA_RT_RUNTIME_LIBRARY="$default"} examples/saxpy "$size"
        for runtime in "${runtimes[@]}"; do
            program "saxpy_runtime $size, ${runtime#runtime/}" env CUDA_RT_RUNTIME_LIBRARY="$PWD/$runtime" examples/saxpy_runtime "$size"
        done
        [ ! -x examples/saxpy_runtime-static ] || program "saxpy_runtime $size, static runtime" examples/saxpy_runtime-static "$size"
    done
    program "device_query" env ${default:+CUDA_RT_RUNTIME_LIBRARY="$default"} examples/device_query
}

# sanitize TOOL NAME COMMAND...
sanitize() {
    local tool=$1 name=$2 log status=0 start=$SECONDS options=(--error-exitcode 99 --report-api-errors no)
    shift 2
    [ "$tool" != memcheck ] || options+=(--leak-check full)
    log=$results/logs/$(printf %s "$tool-$name" | tr -c 'A-Za-z0-9._-' _).log
    timeout --kill-after=10 "$((limit * 2))" compute-sanitizer --tool "$tool" "${options[@]}" "$@" >"$log" 2>&1 || status=$?
    if grep -qE 'Device not supported|Unable to find injection library' "$log"; then
        row "$tool: $name" 0 0 1 "$((SECONDS - start))" "compute-sanitizer does not work on this host"
    elif grep -q 'terminated before first instrumented API call' "$log" && grep -q '^test result: ok' "$log"; then
        row "$tool: $name" 0 0 1 "$((SECONDS - start))" "makes no CUDA call"
    elif [ "$status" -eq 0 ]; then
        row "$tool: $name" 1 0 0 "$((SECONDS - start))" "$(grep -E 'SUMMARY' "$log" | sed 's/^=* *//' | paste -sd ' ')"
    else
        row "$tool: $name" 0 1 0 "$((SECONDS - start))" "exit status $status $(grep -E 'SUMMARY' "$log" | sed 's/^=* *//' | paste -sd ' ')"
        grep -E '^=====|FAILED|panicked' "$log" | head -20
    fi
}

run_sanitizer() {
    local tool binary name
    PATH=$PATH:/usr/local/cuda/bin:/usr/local/cuda/compute-sanitizer
    if ! command -v compute-sanitizer >/dev/null; then
        rows+=("| compute-sanitizer | 0 | 0 | 0 | 0 | not installed |")
        return
    fi
    [ -z "$default" ] || export CUDA_RT_RUNTIME_LIBRARY=$default
    for tool in memcheck racecheck initcheck synccheck; do
        for name in saxpy saxpy_runtime; do
            sanitize "$tool" "$name 1000" "examples/$name" 1000
        done
        while read -r name; do
            binary=tests/$name
            # A test that faults on purpose would be reported, no tool follows a fork, all is slower than a clock
            # expects, and hidden devices are another error under a tool.
            sanitize "$tool" "$name" "$binary" --test-threads=1 --skip fault --skip illegal --skip fork \
                --skip timed_ --skip report_028
        done <GPU_TESTS
    done
    unset CUDA_RT_RUNTIME_LIBRARY
}

run_benches() {
    local bench
    export CRITERION_HOME=$PWD/$results/criterion
    for bench in benches/*; do
        limit=600 program "bench ${bench#benches/}" env ${default:+CUDA_RT_RUNTIME_LIBRARY="$default"} "$bench" --bench --noplot
    done
}

# medians LOG: what a bench measured in turns, with the ratio to the raw calls.
medians() { awk '/: medians of / { shown = 1 } /^$/ { if (shown) print; shown = 0 } shown' "$1"; }

wanted() { [ "$only" = all ] || [ "$only" = "$1" ]; }
wanted tests && run_tests
wanted examples && run_examples
[ "$sanitizer" = yes ] && wanted sanitizer && run_sanitizer
[ "$benches" = yes ] && wanted benches && run_benches

{
    echo "# GPU run of $(date -u +%Y-%m-%d)"
    echo
    echo "- date: $(date -u +%Y-%m-%dT%H:%M:%SZ)"
    echo "- commit: $(cat COMMIT)"
    echo "- GPU and driver: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | paste -sd ';' || true)"
    echo "- system: $(. /etc/os-release 2>/dev/null && echo "$PRETTY_NAME"), kernel $(uname -r), $(nproc) cores"
    echo "- runtimes in the bundle: ${runtimes[*]#runtime/}"
    echo "- left out, since they need the source tree or a compiler: $(paste -sd ' ' LEFT_OUT)"
    echo "- result: $passed passed, $failed failed"
    echo
    echo "| what | passed | failed | ignored | seconds | note |"
    echo "|---|---|---|---|---|---|"
    printf '%s\n' "${rows[@]}"
    for log in "$results"/logs/bench_*.log; do
        [ -e "$log" ] || continue
        echo
        echo "## $(basename "$log" .log | tr _ ' '): beside raw calls"
        echo '```'
        medians "$log"
        echo '```'
    done
    for log in "$results"/logs/bench_*.log; do
        [ -e "$log" ] || continue
        echo
        echo "## $(basename "$log" .log | tr _ ' ')"
        echo '```'
        grep -vE '^$|Warming up|Collecting|Analyzing|^Found|^  [0-9]+ \(' "$log"
        echo '```'
    done
} >"$results/summary.md"

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
