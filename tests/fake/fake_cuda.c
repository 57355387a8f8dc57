/* A driver library that says what the environment tells it to say:
 *
 *   FK_INIT     what cuInit returns (0)
 *   FK_VERSION  what cuDriverGetVersion gives (13050)
 *   FK_DEVICES  number of devices (1)
 *   FK_MODE     their compute mode (0, the default; 2 prohibited, 3 exclusive process)
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static int number(const char *name, int otherwise)
{
    const char *value = getenv(name);
    return value ? atoi(value) : otherwise;
}

int cuInit(unsigned flags)
{
    return flags ? 1 : number("FK_INIT", 0);
}

int cuDriverGetVersion(int *version)
{
    /* A stub gives the same code here. */
    if (number("FK_INIT", 0) == 34)
        return 34;
    *version = number("FK_VERSION", 13050);
    return 0;
}

int cuDeviceGetCount(int *count)
{
    if (number("FK_INIT", 0))
        return 3;
    *count = number("FK_DEVICES", 1);
    return 0;
}

int cuDeviceGet(int *device, int ordinal)
{
    *device = ordinal;
    return 0;
}

int cuDeviceGetName(char *name, int length, int device)
{
    (void)device;
    strncpy(name, "Fake GPU", (size_t)length);
    return 0;
}

int cuDeviceGetPCIBusId(char *id, int length, int device)
{
    (void)device;
    strncpy(id, "0000:0b:00.0", (size_t)length);
    return 0;
}

int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    (void)device;
    *bytes = (size_t)80 << 30;
    return 0;
}

int cuDeviceGetUuid_v2(unsigned char *uuid, int device)
{
    memset(uuid, 0xa0 + device, 16);
    return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    (void)device;
    switch (attribute) {
    case 20:
        *value = number("FK_MODE", 0);
        return 0;
    case 75: /* compute capability 8.6 */
        *value = 8;
        return 0;
    case 76:
        *value = 6;
        return 0;
    default:
        return 1;
    }
}
