// What Swift's own view of glibc leaves out: <sys/timex.h>, and a GNU extension of <pthread.h>. Defining _GNU_SOURCE here
// would change types that Swift has seen already, so the one function is declared by hand.
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H
#include <pthread.h>
#include <sys/timex.h>

int pthread_setname_np(pthread_t thread, const char *name);

// Whether the kernel says that something keeps its clock; -1 when it may not be asked. Reading needs no privilege.
static inline int boardd_clock_is_synchronised(void) {
    struct timex state = {0};
    int answer = adjtimex(&state);
    if (answer < 0) return -1;
    return answer != TIME_ERROR && !(state.status & STA_UNSYNC);
}

#endif
