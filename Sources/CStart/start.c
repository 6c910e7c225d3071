// Code that runs before the Swift runtime and before the initialisers of shared libraries.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>

// SIGHUP makes the daemon reload its files. Until the handler is installed, the default action would end the program.
// A write to a closed pipe or socket is an error of that write: EPIPE, not SIGPIPE.
//
// A standard stream that the parent closed gets a descriptor that fails like a closed one: otherwise the next opened file
// would get its number, and messages would be written into that file.
static void boardd_start(void) {
    signal(SIGHUP, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
    for (int stream = 0; stream <= 2; stream++)
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
}

// Run by the dynamic linker before any initialiser (ELF gABI, "Initialization and Termination Functions").
__attribute__((section(".preinit_array"), used)) static void (*const boardd_preinit)(void) = boardd_start;
