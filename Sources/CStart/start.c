// What the program does before the Swift runtime, and before the initialisers of the shared libraries.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>

// SIGHUP asks the daemon to read its files again. Until the handler is installed, the default action would end the program.
//
// A standard stream that the parent closed gets a descriptor that fails as a closed one does: otherwise the next file that
// is opened would have its number, and messages would be written into that file.
static void boardd_start(void) {
    signal(SIGHUP, SIG_IGN);
    for (int stream = 0; stream <= 2; stream++)
        if (fcntl(stream, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY);
}

// Run by the dynamic linker before any initialiser (ELF gABI, "Initialization and Termination Functions").
__attribute__((section(".preinit_array"), used)) static void (*const boardd_preinit)(void) = boardd_start;
