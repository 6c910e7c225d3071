internal import ArgumentParser
internal import CLinux
internal import Glibc

@main
enum Main {
    static func main() async {
        // Before anything else: until the handler stands, a reload must not kill the program.
        _ = signal(SIGHUP, SIG_IGN)
        boardd_keep_heap_small()
        await Boardd.main()
    }
}
