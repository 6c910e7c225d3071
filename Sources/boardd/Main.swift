internal import CLinux
internal import Glibc

@main
enum Main {
    static func main() async {
        // CStart has run: SIGHUP and SIGPIPE are ignored, and the standard streams are open.
        boardd_keep_heap_small()
        if let shortage = Descriptors.shortage {
            StandardError.write(shortage + "\n")
            _exit(SystemExit.systemError)
        }
        let status = await Boardd.status()
        fflush(nil)
        // Without C's exit handlers: they would unload libraries under threads that hang, or that still close their
        // connections.
        _exit(status)
    }
}
