internal import BoardCore
internal import Glibc

/// The networks that this machine is in.
enum InterfaceNetworks {
    /// The networks of all addresses of the interfaces that are up, of both families (getifaddrs(3)); empty where the system does not
    /// list them. A link-local address of IPv6 is one of every interface; its zone does not matter here: the kernel accepts it
    /// only over the link of its interface.
    static var now: Set<NetworkPrefix> {
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
            // Length 0 would be everybody: an interface without a network, such as one of a provider.
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
