/* A driver library that lacks cuDriverGetVersion. */
int cuInit(unsigned flags)
{
    (void)flags;
    return 0;
}
