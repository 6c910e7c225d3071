#define _GNU_SOURCE
#include "FileCalls.h"

#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static char *calls;
static size_t length;

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
    int result = (int)syscall(number, descriptor);
    if (result == 0) {
        char path[PATH_MAX];
        path_of(descriptor, path);
        note("fsync", path, "");
    }
    return result;
}

int fsync(int descriptor) { return sync_file(descriptor, SYS_fsync); }

int fdatasync(int descriptor) { return sync_file(descriptor, SYS_fdatasync); }

int renameat(int old_folder, const char *old_name, int new_folder, const char *new_name) {
    char old_path[PATH_MAX], new_path[PATH_MAX];
    path_below(old_folder, old_name, old_path);
    path_below(new_folder, new_name, new_path);
    int result = (int)syscall(SYS_renameat2, old_folder, old_name, new_folder, new_name, 0);
    if (result == 0) note("rename", old_path, new_path);
    return result;
}

int rename(const char *old_name, const char *new_name) { return renameat(AT_FDCWD, old_name, AT_FDCWD, new_name); }

char *file_calls(const char *folder) {
    pthread_mutex_lock(&mutex);
    char *found = calloc(1, length + 1);
    size_t used = 0;
    for (size_t start = 0; found && start < length;) {
        const char *end = memchr(calls + start, '\n', length - start);
        size_t size = (size_t)(end - (calls + start)) + 1;
        const char *path = memchr(calls + start, ' ', size);
        if (path && strncmp(path + 1, folder, strlen(folder)) == 0) {
            memcpy(found + used, calls + start, size);
            used += size;
        }
        start += size;
    }
    pthread_mutex_unlock(&mutex);
    return found;
}
