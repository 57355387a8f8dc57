/* A library that exports nothing of CUDA's. */
int unrelated(void)
{
    return 0;
}
