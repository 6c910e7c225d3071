import Glibc

/// The machine's name, and its address in the network.
public enum MachineAddress {
    /// "boardpi 192.168.1.23"; the name alone without a network.
    public static var text: String { ([name] + [address].compactMap(\.self)).joined(separator: " ") }

    /// The page's addresses for a browser: the numeric one, and the name that Avahi publishes, the host's first label.
    ///
    /// - Parameter port: where the page listens.
    public static func origins(port: UInt16) -> [WebOrigin] {
        let label = HostName("\(name.prefix { $0 != "." }).local").map(WebOrigin.Host.name)
        let hosts = [address.flatMap { IPAddress($0) }.map(WebOrigin.Host.address), label]
        return hosts.compactMap { $0.map { WebOrigin(isSecure: false, host: $0, port: port) } }
    }

    /// The longest name (hostname(7)) and a NUL byte.
    private static let nameCapacity = 65
    /// The longest IPv6 address with a zone (at most 62; getnameinfo(3): NI_MAXHOST is 1025) and a NUL byte.
    private static let addressCapacity = 64

    public static var name: String {
        var bytes = [CChar](repeating: 0, count: nameCapacity)
        guard unsafe gethostname(&bytes, bytes.count - 1) == 0 else { return "" }
        return text(bytes)
    }

    /// The address from which the machine would send to the internet, IPv4 where there is one; nil: there is no route.
    private static var address: String? {
        // Addresses for documentation (RFC 5737, RFC 3849): only the route to them is looked up.
        source(toward: "192.0.2.1") ?? source(toward: "2001:db8::1")
    }

    /// The source address of datagrams to `address`. Connecting a datagram socket sends nothing (udp(7)). A list of the
    /// interfaces does not show which of their addresses others use.
    private static func source(toward address: String) -> String? {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        unsafe hints.ai_socktype = Int32(SOCK_DGRAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard unsafe getaddrinfo(address, "9", &hints, &list) == 0, let info = unsafe list?.pointee else { return nil }
        defer { unsafe freeaddrinfo(list) }
        let descriptor = unsafe socket(info.ai_family, info.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard unsafe connect(descriptor, info.ai_addr, info.ai_addrlen) == 0 else { return nil }
        var local = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var bytes = [CChar](repeating: 0, count: addressCapacity)
        let isKnown = unsafe withUnsafeMutablePointer(to: &local) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { local in
                unsafe getsockname(descriptor, local, &length) == 0
                    && getnameinfo(local, length, &bytes, socklen_t(bytes.count), nil, 0, NI_NUMERICHOST) == 0
            }
        }
        return isKnown ? text(bytes) : nil
    }

    private static func text(_ bytes: [CChar]) -> String {
        String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// The networks that this machine is in.
public enum InterfaceNetworks {
    /// The networks of all IPv4 and IPv6 addresses of the interfaces that are up (getifaddrs(3)); empty if the system
    /// does not list them. Every interface has an IPv6 link-local network; its zone does not matter here: the kernel
    /// accepts its addresses only over the link of the interface.
    public static var now: Set<NetworkPrefix> {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&list) == 0 else { return [] }
        defer { unsafe freeifaddrs(list) }
        var networks: Set<NetworkPrefix> = []
        var next = unsafe list
        while let entry = unsafe next?.pointee {
            unsafe next = entry.ifa_next
            guard unsafe entry.ifa_flags & UInt32(IFF_UP) != 0, let address = unsafe entry.ifa_addr,
                let mask = unsafe entry.ifa_netmask, let (own, _) = unsafe SocketAddress.parts(of: address),
                let length = unsafe prefixLength(mask, of: own)
            else { continue }
            // Length 0 would be everybody: an interface without a network, such as a provider's.
            if length > 0, let network = NetworkPrefix(of: own, length: length) { networks.insert(network) }
        }
        return networks
    }

    /// The number of leading bits in the mask of an address's network.
    private static func prefixLength(_ mask: UnsafePointer<sockaddr>, of address: IPAddress) -> Int? {
        guard let (bits, _) = unsafe SocketAddress.parts(of: mask), bits.isIPv4 == address.isIPv4 else { return nil }
        let full = bits.bytes.prefix { $0 == 0xFF }.count
        return full * 8 + (full < bits.bytes.count ? (~bits.bytes[full]).leadingZeroBitCount : 0)
    }
}
