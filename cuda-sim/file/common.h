/* What the simulator's Rust code exports (cuda-sim/src/file.rs), and how a function of a file is made: the system's
 * loader asks at run time for its address, so that a version that lacks the function has none, as with a real file. */
const void *cuda_sim_export(int layer, const char *name);
void cuda_sim_print_exports(int layer);
void cuda_sim_loaded(int major);
int cuda_sim_end(void);

typedef void (*cuda_sim_function)(void);

#define EXPORT(layer, name)                                                                                            \
    static cuda_sim_function find_##name(void) { return (cuda_sim_function)cuda_sim_export(layer, #name); }            \
    void name(void) __attribute__((ifunc("find_" #name), visibility("default")));
