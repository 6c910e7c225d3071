// Code that runs before the Swift runtime and before the initialisers of shared libraries.
#include "CStart.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>

// The values taken out of the environment: they stay in the memory where the kernel wrote them.
static const char *const passed_names[] = {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"};
enum { PASSED_COUNT = sizeof passed_names / sizeof passed_names[0] };
static const char *passed[PASSED_COUNT];

const char *boardd_passed(const char *name) {
    for (int i = 0; i < PASSED_COUNT; i++)
        if (strcmp(name, passed_names[i]) == 0) return passed[i];
    return NULL;
}

// Whether an entry of the environment has a passed name; if so, keeps its value.
static int take(const char *entry) {
    for (int i = 0; i < PASSED_COUNT; i++) {
        size_t length = strlen(passed_names[i]);
        if (strncmp(entry, passed_names[i], length) != 0 || entry[length] != '=') continue;
        // Of several entries, getenv finds the first.
        if (!passed[i]) passed[i] = entry + length + 1;
        return 1;
    }
    return 0;
}

// SIGHUP makes the daemon reload its files. Until the handler is installed, the default action would end the program.
// A write to a closed pipe or socket is an error of that write: EPIPE, not SIGPIPE.
//
// A standard stream that the parent closed gets a descriptor that fails like a closed one: otherwise the next opened
// file would get its number, and messages would be written into that file.
//
// The variables for the sockets that systemd passes are for this process alone: they leave the environment before a
// thread reads it or a child inherits it.
static void boardd_start(int count, char **arguments, char **environment) {
    (void)count;
    (void)arguments;
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    for (int stream = 0; stream <= 2; stream++)
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
    char **rest = environment;
    for (char **entry = environment; *entry; entry++)
        if (!take(*entry)) *rest++ = *entry;
    *rest = NULL;
}

// Run by ld.so before any initialiser, with main's arguments (ELF gABI, "Initialization and Termination Functions").
__attribute__((section(".preinit_array"), used)) static void (*const boardd_preinit)(int, char **, char **) = boardd_start;
