internal import BoardCore
internal import CStart
internal import Glibc

/// The listening sockets that systemd opened for this program (sd_listen_fds(3)).
struct InheritedSockets {
    /// The first descriptor that systemd passes: SD_LISTEN_FDS_START.
    static let first: Int32 = 3

    /// The name in FileDescriptorName= of systemd/boardd-page.socket.
    private static let pageName = "page"

    /// The descriptors and their names, in systemd's order; none where they are for another process.
    let descriptors: [(descriptor: Int32, name: String)]

    /// The sockets of this process; CStart has taken their variables out of the environment.
    static var passed: InheritedSockets {
        InheritedSockets(pid: value("LISTEN_PID"), count: value("LISTEN_FDS"), names: value("LISTEN_FDNAMES"))
    }

    /// - Parameters:
    ///   - pid: LISTEN_PID: for whom they are.
    ///   - count: LISTEN_FDS.
    ///   - names: LISTEN_FDNAMES, between colons; nil: the sockets have no names.
    init(pid: String?, count: String?, names: String?, first: Int32 = Self.first) {
        guard let pid, pid == "\(getpid())", let number = count.flatMap(Int32.init), number > 0,
            number <= Int32.max - first
        else {
            descriptors = []
            return
        }
        let names = names?.split(separator: ":", omittingEmptySubsequences: false).map(String.init) ?? []
        descriptors = (0..<number).prefix { $0 < Int32(Self.maximumCount) }.map { index in
            (first + index, names.indices.contains(Int(index)) ? names[Int(index)] : "")
        }
    }

    /// More than any unit of the board has: a number in the environment must not decide how long this program loops.
    private static let maximumCount = 64

    /// The sockets of the page. No program that this one starts inherits them, nor the other passed descriptors.
    ///
    /// - Throws: where a descriptor with the page's name is something else than a listening TCP socket.
    func page() throws(StartError) -> [ListeningSocket] {
        for (descriptor, _) in descriptors { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var sockets: [ListeningSocket] = []
        for (descriptor, name) in descriptors where name == Self.pageName {
            guard let socket = ListeningSocket(descriptor) else {
                throw StartError(
                    description: "what systemd passed as \"\(name)\" is not a listening TCP socket: write a port as "
                        + "ListenStream= in boardd-page.socket (systemctl edit boardd-page.socket)")
            }
            sockets.append(socket)
        }
        return sockets
    }

    private static func value(_ name: String) -> String? {
        unsafe boardd_passed(name).map { unsafe String(cString: $0) }
    }
}
