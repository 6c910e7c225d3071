// Declarations that Swift's glibc module lacks: <malloc.h>, <sys/eventfd.h>, <sys/timex.h>, and GNU extensions of
// <pthread.h> and <spawn.h>, by hand: defining _GNU_SOURCE would change types that Swift has already imported.
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H
#include <malloc.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/timex.h>

int pthread_setname_np(pthread_t thread, const char *name);
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int first);

// Whether the kernel reports its clock as synchronised; -1 when the query is not permitted. Needs no privilege.
static inline int boardd_clock_is_synchronised(void) {
    struct timex state = {0};
    int status = adjtimex(&state);
    if (status < 0) return -1;
    return status != TIME_ERROR && !(state.status & STA_UNSYNC);
}

// Keeps the heap of a mostly idle program small; call it before threads start. glibc gives each thread its own arena,
// which does not shrink, and raises the size above which memory is returned to the system.
static inline void boardd_keep_heap_small(void) {
    // With one arena, threads that decode at the same time wait for each other: a tenth of a wake-up per second.
    mallopt(M_ARENA_MAX, 2);
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    mallopt(M_TRIM_THRESHOLD, 128 * 1024);
}

#endif
