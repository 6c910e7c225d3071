// Declarations that Swift's glibc module lacks: <malloc.h>, <sys/timex.h>, <sys/auxv.h>, and a GNU extension of <pthread.h>.
// Defining _GNU_SOURCE here would change types that Swift has imported already, so the function is declared by hand.
#ifndef CLINUX_SHIM_H
#define CLINUX_SHIM_H
#include <link.h>
#include <malloc.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/timex.h>
#include <unistd.h>

int pthread_setname_np(pthread_t thread, const char *name);

// Whether the kernel reports its clock as synchronised; -1 when the query is not permitted. Needs no privilege.
static inline int boardd_clock_is_synchronised(void) {
    struct timex state = {0};
    int status = adjtimex(&state);
    if (status < 0) return -1;
    return status != TIME_ERROR && !(state.status & STA_UNSYNC);
}

// Keeps the heap of a mostly idle program small; call it before threads start. glibc gives each thread its own arena, which
// does not shrink, and raises the size above which memory is returned to the system.
static inline void boardd_keep_heap_small(void) {
    // With one arena, threads that decode at the same time wait for each other: a tenth of a wake-up per second.
    mallopt(M_ARENA_MAX, 2);
    mallopt(M_MMAP_THRESHOLD, 128 * 1024);
    mallopt(M_TRIM_THRESHOLD, 128 * 1024);
}

// Drops the program's own code pages; code that runs again comes back from the kernel's cache, 64 kB at a time, in
// microseconds. The pages are read-only and backed by the file, so nothing is lost. A start runs twice the code of an idle
// board, and the kernel counts mapped pages as needed.
static inline void boardd_release_code(void) {
    const ElfW(Phdr) *headers = (const ElfW(Phdr) *)getauxval(AT_PHDR);
    size_t count = getauxval(AT_PHNUM), page = (size_t)sysconf(_SC_PAGESIZE);
    uintptr_t base = 0;
    for (size_t index = 0; index < count; index++)
        if (headers[index].p_type == PT_PHDR) base = (uintptr_t)headers - headers[index].p_vaddr;
    for (size_t index = 0; index < count; index++) {
        const ElfW(Phdr) *header = &headers[index];
        // Segments that are written to, if only by the loader, would lose their content.
        if (header->p_type != PT_LOAD || (header->p_flags & (PF_X | PF_W)) != PF_X) continue;
        uintptr_t start = (base + header->p_vaddr) / page * page;
        madvise((void *)start, base + header->p_vaddr + header->p_filesz - start, MADV_DONTNEED);
    }
}

#endif
