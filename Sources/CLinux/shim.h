// What Swift's own view of glibc leaves out: <malloc.h>, <sys/timex.h>, <sys/auxv.h>, and a GNU extension of <pthread.h>.
// Defining _GNU_SOURCE here would change types that Swift has seen already, so the one function is declared by hand.
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

// Lets go of the program's own code; what runs again comes back from the kernel's cache, 64 kB at a time, in microseconds.
// It is read-only and the file's, so nothing is lost. A start runs twice the code that an idle board does, and the kernel
// takes what is mapped for needed.
static inline void boardd_release_code(void) {
    const ElfW(Phdr) *headers = (const ElfW(Phdr) *)getauxval(AT_PHDR);
    size_t count = getauxval(AT_PHNUM), page = (size_t)sysconf(_SC_PAGESIZE);
    uintptr_t base = 0;
    for (size_t index = 0; index < count; index++)
        if (headers[index].p_type == PT_PHDR) base = (uintptr_t)headers - headers[index].p_vaddr;
    for (size_t index = 0; index < count; index++) {
        const ElfW(Phdr) *header = &headers[index];
        // What is written to, if only by the loader, would be lost.
        if (header->p_type != PT_LOAD || (header->p_flags & (PF_X | PF_W)) != PF_X) continue;
        uintptr_t start = (base + header->p_vaddr) / page * page;
        madvise((void *)start, base + header->p_vaddr + header->p_filesz - start, MADV_DONTNEED);
    }
}

#endif
