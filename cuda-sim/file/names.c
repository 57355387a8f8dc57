/* Prints the functions of a file: 0 for the driver, else the runtime's major. */
#include <stdlib.h>

#include "common.h"

int main(int argc, char **argv) {
    cuda_sim_print_exports(argc > 1 ? atoi(argv[1]) : 0);
    return 0;
}
