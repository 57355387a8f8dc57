/* libcudart.so.MAJOR: leads to the simulator in libcuda.so.1, so that both files share one machine. */
#include "common.h"

__attribute__((constructor)) static void begin(void) { cuda_sim_loaded(MAJOR); }

#define FUNCTION(name) EXPORT(MAJOR, name)
#include "runtime.inc"
