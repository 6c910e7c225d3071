// For LD_PRELOAD: the kernel's clock as if NTP had set it, which it has not in a container.
#include <sys/timex.h>

int adjtimex(struct timex *state) {
    *state = (struct timex){0};
    return TIME_OK;
}
