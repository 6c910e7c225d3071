#define _GNU_SOURCE
#include "FileCalls.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *calls;
static size_t length;
static char watched[PATH_MAX];
static file_calls_watcher watcher;
static void *watcher_context;

static int is_below(const char *folder, const char *path) { return strncmp(path, folder, strlen(folder)) == 0; }

// Before a call that changes a file.
static void begin(const char *path) {
    pthread_mutex_lock(&mutex);
    file_calls_watcher called = watcher && is_below(watched, path) ? watcher : NULL;
    void *context = watcher_context;
    pthread_mutex_unlock(&mutex);
    if (called) called(context);
}

void file_calls_watch(const char *folder, file_calls_watcher called, void *context) {
    pthread_mutex_lock(&mutex);
    snprintf(watched, sizeof watched, "%s", folder);
    watcher = called;
    watcher_context = context;
    pthread_mutex_unlock(&mutex);
}

static void note(const char *call, const char *path, const char *other) {
    pthread_mutex_lock(&mutex);
    size_t needed = strlen(call) + strlen(path) + strlen(other) + 4;
    char *grown = realloc(calls, length + needed);
    if (grown) {
        calls = grown;
        length += (size_t)snprintf(calls + length, needed, "%s %s%s%s\n", call, path, *other ? " " : "", other);
    }
    pthread_mutex_unlock(&mutex);
}

// The path of an open file; empty where it has none.
static void path_of(int descriptor, char path[PATH_MAX]) {
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t count = readlink(link, path, PATH_MAX - 1);
    path[count > 0 ? count : 0] = 0;
}

// A path below an open folder.
static void path_below(int folder, const char *name, char path[PATH_MAX]) {
    path[0] = 0;
    if (name[0] != '/' && folder != AT_FDCWD) {
        path_of(folder, path);
        strncat(path, "/", PATH_MAX - strlen(path) - 1);
    }
    strncat(path, name, PATH_MAX - strlen(path) - 1);
}

static int sync_file(int descriptor, long number) {
    char path[PATH_MAX];
    path_of(descriptor, path);
    begin(path);
    int result = (int)syscall(number, descriptor);
    if (result == 0) note("fsync", path, "");
    return result;
}

int fsync(int descriptor) { return sync_file(descriptor, SYS_fsync); }

int fdatasync(int descriptor) { return sync_file(descriptor, SYS_fdatasync); }

int renameat(int old_folder, const char *old_name, int new_folder, const char *new_name) {
    char old_path[PATH_MAX], new_path[PATH_MAX];
    path_below(old_folder, old_name, old_path);
    path_below(new_folder, new_name, new_path);
    begin(new_path);
    int result = (int)syscall(SYS_renameat2, old_folder, old_name, new_folder, new_name, 0);
    if (result == 0) note("rename", old_path, new_path);
    return result;
}

int rename(const char *old_name, const char *new_name) { return renameat(AT_FDCWD, old_name, AT_FDCWD, new_name); }

int unlinkat(int folder, const char *name, int flags) {
    char path[PATH_MAX];
    path_below(folder, name, path);
    begin(path);
    return (int)syscall(SYS_unlinkat, folder, name, flags);
}

int mkdir(const char *path, mode_t mode) {
    begin(path);
    return (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

int chmod(const char *path, mode_t mode) {
    begin(path);
    return (int)syscall(SYS_fchmodat, AT_FDCWD, path, mode);
}

int fchmod(int descriptor, mode_t mode) {
    char path[PATH_MAX];
    path_of(descriptor, path);
    begin(path);
    return (int)syscall(SYS_fchmod, descriptor, mode);
}

#ifdef FILE_CALLS_PRELOADED
static long remaining;

// Ends the program before the call, as kill -9 does.
static void count_down(void *context) {
    (void)context;
    if (__atomic_sub_fetch(&remaining, 1, __ATOMIC_SEQ_CST) == 0) kill(getpid(), SIGKILL);
}

__attribute__((constructor)) static void arm(void) {
    const char *folder = getenv("FILE_CALLS_FOLDER"), *count = getenv("FILE_CALLS_KILL");
    if (!folder || !count) return;
    remaining = atol(count);
    file_calls_watch(folder, count_down, NULL);
}

int openat(int folder, const char *name, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    if (flags & O_CREAT) {
        char path[PATH_MAX];
        path_below(folder, name, path);
        begin(path);
    }
    return (int)syscall(SYS_openat, folder, name, flags, mode);
}

ssize_t write(int descriptor, const void *bytes, size_t count) {
    char path[PATH_MAX];
    path_of(descriptor, path);
    begin(path);
    if (*watched && is_below(watched, path) && count > 1) {
        // Also between the halves.
        ssize_t half = syscall(SYS_write, descriptor, bytes, count / 2);
        begin(path);
        return half;
    }
    return syscall(SYS_write, descriptor, bytes, count);
}
#endif

char *file_calls(const char *folder) {
    pthread_mutex_lock(&mutex);
    char *found = calloc(1, length + 1);
    size_t used = 0;
    for (size_t start = 0; found && start < length;) {
        const char *end = memchr(calls + start, '\n', length - start);
        size_t size = (size_t)(end - (calls + start)) + 1;
        const char *path = memchr(calls + start, ' ', size);
        if (path && is_below(folder, path + 1)) {
            memcpy(found + used, calls + start, size);
            used += size;
        }
        start += size;
    }
    pthread_mutex_unlock(&mutex);
    return found;
}
