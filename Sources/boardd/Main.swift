internal import CLinux
internal import Glibc

@main
enum Main {
    static func main() async {
        // Before anything else: until the handler stands, a reload must not kill the program.
        _ = signal(SIGHUP, SIG_IGN)
        boardd_keep_heap_small()
        let status = await Boardd.status()
        fflush(nil)
        // Without C's exit handlers: they would take libraries down under threads that hang, or that still let go of
        // their connections.
        _exit(status)
    }
}
