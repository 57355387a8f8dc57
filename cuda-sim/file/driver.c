/* libcuda.so.1: the simulator itself, and its driver functions. */
#include <stdio.h>
#include <unistd.h>

#include "common.h"

/* Exit status of a process with findings, where CUDA_SIM_FATAL=1. */
#define FOUND 86

__attribute__((constructor)) static void begin(void) { cuda_sim_loaded(0); }

__attribute__((destructor)) static void end(void) {
    if (cuda_sim_end() > 0) {
        fflush(NULL);
        _exit(FOUND);
    }
}

#define FUNCTION(name) EXPORT(0, name)
#include "driver.inc"
