import BoardCore
import BoardIO
import Testing

@Suite("Addresses and networks")
struct NetworkTests {
    @Test(
        "an address is read and written in its shortest form",
        arguments: [
            ("192.168.1.5", "192.168.1.5"), ("0.0.0.0", "0.0.0.0"), ("::", "::"), ("::1", "::1"), ("1::", "1::"),
            ("2001:DB8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
            ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"), ("fe80::1:2", "fe80::1:2"), ("::ffff:192.168.1.5", "192.168.1.5"),
            ("::ffff:c0a8:105", "192.168.1.5"), ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
            ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
        ])
    func addresses(text: String, written: String) {
        #expect(IPAddress(text)?.description == written)
    }

    @Test(
        "other texts are no address",
        arguments: [
            "", "1.2.3", "1.2.3.4.5", "1.2.3.256", "1.2.3.04", "1.2.3.+4", "0x7f.0.0.1", "127.1", ":", ":::", "1::2::3",
            "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::", "::12345", "::g", "fe80::1%eth0", "[::1]",
            "1.2.3.4::",
            "::1.2.3.4:5", "::+1", "localhost", "::\u{FF11}",
        ])
    func noAddresses(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test("only 4 and 16 bytes are an address, and mapped ones are of IPv4")
    func bytes() {
        #expect(IPAddress(bytes: [1, 2, 3]) == nil)
        #expect(IPAddress(bytes: IPAddress.v4InV6(10, 0, 0, 7)) == IPAddress("10.0.0.7"))
        #expect(IPAddress("10.0.0.7")?.isIPv4 == true)
        #expect(IPAddress("::10.0.0.7")?.isIPv4 == false)
    }

    @Test(
        "a network contains the addresses that begin with its bits",
        arguments: [
            ("192.168.1.0/24", "192.168.1.255", true), ("192.168.1.0/24", "192.168.2.0", false),
            ("10.0.0.128/25", "10.0.0.127", false), ("10.0.0.128/25", "10.0.0.200", true),
            ("0.0.0.0/0", "255.255.255.255", true), ("0.0.0.0/0", "::1", false),
            ("10.1.2.3/32", "10.1.2.3", true), ("10.1.2.3/32", "10.1.2.2", false),
            ("::/0", "2001:db8::1", true), ("::/0", "10.0.0.1", false), ("::/0", "::ffff:10.0.0.1", false),
            ("::1/128", "::1", true), ("::1/128", "::2", false), ("fe80::/10", "febf::1", true),
            ("fe80::/10", "fec0::1", false), ("::ffff:10.0.0.0/104", "10.9.9.9", true),
            ("::ffff:10.0.0.0/104", "11.0.0.0", false), ("10.0.0.0/8", "::ffff:10.9.9.9", true),
        ])
    func contains(network: String, address: String, isInside: Bool) throws {
        let peer = try #require(IPAddress(address))
        #expect(try NetworkPrefix(written: network).contains(peer) == isInside)
    }

    @Test(
        "a faulty network is an error about what is wrong",
        arguments: [
            ("192.168.1/24", "is not a network"), ("", "is not a network"), ("/8", "is not a network"),
            ("10.0.0.0", "must end with / and a number of bits from 0 to 32"),
            ("10.0.0.0/", "must end with / and a number of bits from 0 to 32"),
            ("10.0.0.0/33", "must end with / and a number of bits from 0 to 32"),
            ("10.0.0.0/08", "must end with / and a number of bits from 0 to 32"),
            ("10.0.0.0/-1", "must end with / and a number of bits from 0 to 32"),
            ("10.0.0.0/8/8", "must end with / and a number of bits from 0 to 32"),
            ("::/129", "must end with / and a number of bits from 0 to 128"),
            ("::ffff:10.0.0.0/90", "is not a network"),
        ])
    func faults(text: String, words: String) {
        let error = #expect(throws: PlainError.self) { try NetworkPrefix(written: text) }
        #expect(error?.description.hasPrefix(words) == true, "\(error?.description ?? "")")
    }

    @Test("an address with bits after the prefix is an error with its network")
    func bitsAfterPrefix() {
        let failure = #expect(throws: PlainError.self) { try NetworkPrefix(written: "192.168.1.5/24") }
        #expect(failure.map { "\($0)" } == "is an address in a network: write 192.168.1.0/24")
    }

    @Test("a network of an interface has the bits of its address and no more")
    func ofInterface() throws {
        let address = try #require(IPAddress("192.168.178.201"))
        #expect(NetworkPrefix(of: address, length: 22)?.description == "192.168.176.0/22")
        #expect(NetworkPrefix(of: address, length: 33) == nil)
    }

    @Test(
        "this machine, its networks and the extra ones are accepted, and no other",
        arguments: [
            ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("::ffff:127.0.0.1", true),
            ("192.168.1.77", true), ("::ffff:192.168.1.77", true), ("192.168.2.77", false),
            ("fe80::1234", true), ("2001:db8:1::99", true), ("2001:db8:2::99", false),
            ("100.101.0.1", true), ("8.8.8.8", false), ("::2", false), ("128.0.0.1", false),
        ])
    func accepted(peer: String, isAccepted: Bool) throws {
        let interfaces = try ["192.168.1.0/24", "fe80::/64", "2001:db8:1::/64"].map { try NetworkPrefix(written: $0) }
        let extra = [try NetworkPrefix(written: "100.64.0.0/10")]
        let address = try #require(IPAddress(peer))
        #expect(AcceptedPeers.contain(address, extra: extra) { interfaces } == isAccepted)
    }

    @Test("the interfaces are not listed for a peer on this machine or in an extra network")
    func interfacesOnDemand() throws {
        let extra = [try NetworkPrefix(written: "100.64.0.0/10")]
        for peer in ["127.0.0.1", "100.64.0.1"] {
            let address = try #require(IPAddress(peer))
            let isAccepted = AcceptedPeers.contain(address, extra: extra) {
                Issue.record("the interfaces were listed for \(peer)")
                return []
            }
            #expect(isAccepted)
        }
    }
}

extension IPAddress {
    fileprivate static func v4InV6(_ bytes: UInt8...) -> [UInt8] {
        [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF] + bytes
    }
}
