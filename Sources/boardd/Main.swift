internal import BoardFleet
internal import CLinux
internal import Glibc

@main
enum Main {
    static func main() async {
        // CStart has run: SIGHUP and SIGPIPE are ignored, and the standard streams are open.
        boardd_keep_heap_small()
        if CommandLine.arguments.dropFirst().elementsEqual([BrokerProcess.argument]) {
            ProgramEnd.exit(BrokerProcess.main())
        }
        if let shortage = Descriptors.shortage {
            StandardError.write(shortage + "\n")
            _exit(ExitStatus.systemError)
        }
        ProgramEnd.exit(await Boardd.status())
    }
}

/// The end of the program, without C's exit handlers: OpenSSL's frees its tables while a thread still closes a connection,
/// or hangs in the network, which crashes one of five programs (docs/decisions/end-of-program.md).
enum ProgramEnd {
    static func exit(_ status: Int32) -> Never {
        fflush(nil)
        _exit(status)
    }
}
