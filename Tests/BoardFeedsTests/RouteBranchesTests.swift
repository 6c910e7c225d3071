import Testing

@testable import BoardFeeds

@Suite("Route branches")
struct RouteBranchesTests {
    /// "AB>1,2": the stops of each branch, as letters, and the following branches.
    private func branches(_ sequences: String...) -> [String] {
        let found = RouteBranches(sequences.map { $0.map(String.init) })
        #expect(found.stops.count == found.next.count)
        return found.stops.enumerated().map { place, stops in
            let next = found.next[place].sorted().map(String.init).joined(separator: ",")
            return stops.joined() + (next.isEmpty ? "" : ">" + next)
        }
    }

    @Test("one pattern is one branch; a short working, an express and a single stop add nothing")
    func plain() {
        #expect(branches("ABCDE") == ["ABCDE"])
        #expect(branches("BCD", "ACE", "ABCDE", "C", "ABCDE") == ["ABCDE"])
        #expect(branches("A") == [])
        #expect(branches() == [])
    }

    @Test("patterns are split where they fork and join")
    func forks() {
        #expect(branches("ABCD", "ABXY") == ["AB>1,2", "BCD", "BXY"])
        #expect(branches("ABYZ", "XBYZ") == ["AB>1", "BYZ", "XB>1"])
        #expect(branches("ABCDE", "ABXDE") == ["AB>1,2", "BCD>3", "BXD>3", "DE"])
        #expect(branches("AB", "CD") == ["AB", "CD"])
        // At the first stop, and at the last.
        #expect(branches("CHQ", "CMW") == ["C>1,2", "CHQ", "CMW"])
        #expect(branches("AXZ", "BYZ") == ["AXZ>1", "Z", "BYZ>1"])
    }

    @Test("a ring that trips enter anywhere is drawn once, from the start of the most frequent pattern")
    func rings() {
        #expect(branches("ABCD", "CDAB") == ["ABCDA"])
        #expect(branches("CDAB", "ABCD") == ["CDABC"])
        #expect(branches("ABCDA", "CDABC", "BCDAB") == ["ABCDA"])
        #expect(branches("ABCD", "ABCDA") == ["ABCDA"])
        #expect(branches("CDAB", "ABCDA", "DA") == ["ABCDA"])
        // Two rings, and another pattern.
        #expect(branches("ABC", "BCA", "XYZ", "PQR", "RPQ") == ["XYZ", "ABCA", "PQRP"])
    }

    @Test("a loop is split where other patterns join and leave")
    func loops() {
        #expect(branches("ABCDA") == ["ABCDA"])
        #expect(branches("ABCDA", "XYZBCD") == ["AB>1", "BCDA", "XYZB>1"])
        #expect(branches("ABCD", "CDAB", "XB") == ["BCDAB", "XB>0"])
        // Out, around, and back.
        #expect(branches("ABCDBA") == ["ABCDBA"])
        #expect(branches("ABCDBA", "EBCDBF") == ["AB>1", "BCDB>2,3", "BA", "BF", "EB>1"])
        #expect(branches("AABC") == ["AABC"])
    }
}
