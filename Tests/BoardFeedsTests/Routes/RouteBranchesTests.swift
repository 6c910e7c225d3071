import Testing

@testable import BoardFeeds

@Suite("The branches of a line")
struct RouteBranchesTests {
    /// "AB>1,2": the stops of each branch and what follows it. Stops are letters.
    private func branches(_ sequences: String...) -> [String] {
        let found = RouteBranches(sequences.map { $0.map(String.init) })
        #expect(found.stops.count == found.next.count)
        return found.stops.enumerated().map { place, stops in
            let next = found.next[place].sorted().map(String.init).joined(separator: ",")
            return stops.joined() + (next.isEmpty ? "" : ">" + next)
        }
    }

    @Test("one way is one branch; a short working, an express and a single stop add nothing")
    func plain() {
        #expect(branches("ABCDE") == ["ABCDE"])
        #expect(branches("BCD", "ACE", "ABCDE", "C", "ABCDE") == ["ABCDE"])
        #expect(branches("A") == [])
        #expect(branches() == [])
    }

    @Test("ways are cut where they fork and join")
    func forks() {
        #expect(branches("ABCD", "ABXY") == ["AB>1,2", "BCD", "BXY"])
        #expect(branches("ABYZ", "XBYZ") == ["AB>1", "BYZ", "XB>1"])
        #expect(branches("ABCDE", "ABXDE") == ["AB>1,2", "BCD>3", "BXD>3", "DE"])
        #expect(branches("AB", "CD") == ["AB", "CD"])
        // At its first stop, and at its last.
        #expect(branches("CHQ", "CMW") == ["C>1,2", "CHQ", "CMW"])
        #expect(branches("AXZ", "BYZ") == ["AXZ>1", "Z", "BYZ>1"])
    }

    @Test("a ring that trips enter anywhere is drawn once round, from where the most usual of them begins")
    func rings() {
        #expect(branches("ABCD", "CDAB") == ["ABCDA"])
        #expect(branches("CDAB", "ABCD") == ["CDABC"])
        #expect(branches("ABCDA", "CDABC", "BCDAB") == ["ABCDA"])
        #expect(branches("ABCD", "ABCDA") == ["ABCDA"])
        #expect(branches("CDAB", "ABCDA", "DA") == ["ABCDA"])
        // Two of them, and a way beside.
        #expect(branches("ABC", "BCA", "XYZ", "PQR", "RPQ") == ["XYZ", "ABCA", "PQRP"])
    }

    @Test("a loop is entered where something leads into it, and left where it goes on")
    func loops() {
        #expect(branches("ABCDA") == ["ABCDA"])
        #expect(branches("ABCDA", "XYZBCD") == ["AB>1", "BCDA", "XYZB>1"])
        #expect(branches("ABCD", "CDAB", "XB") == ["BCDAB", "XB>0"])
        // Out, round, and back again.
        #expect(branches("ABCDBA") == ["ABCDBA"])
        #expect(branches("ABCDBA", "EBCDBF") == ["AB>1", "BCDB>2,3", "BA", "BF", "EB>1"])
        #expect(branches("AABC") == ["AABC"])
    }
}
