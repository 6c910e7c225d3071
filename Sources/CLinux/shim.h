// What Swift's own view of glibc leaves out: <malloc.h>, <sys/timex.h>, and a GNU extension of <pthread.h>.
// Defining _GNU_SOURCE here would change types that Swift has seen already, so the one function is declared by hand.
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H
#include <malloc.h>
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

// Keeps the heap of a program that sleeps most of the time small; before there are threads. glibc gives each thread an arena
// of its own, of which each keeps what it once needed, and raises by itself the size from which memory is given back.
static inline void boardd_keep_heap_small(void) {
    // With one alone, threads that decode at once wait for each other: a tenth of a wake-up a second.
    mallopt(M_ARENA_MAX, 2);
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    mallopt(M_TRIM_THRESHOLD, 128 * 1024);
}

#endif
