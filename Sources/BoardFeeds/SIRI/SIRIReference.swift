/// Readable parts of operators' references.
enum SIRIReference {
    /// Parts of a reference that name its source, not the thing.
    private static let origins: Set<String> = ["LOC"]

    /// The short form of a reference, for operators that publish no name: "C01727" of "STIF:Line::C01727:", "B63" of
    /// "MTA NYCT_B63", "8A" of "8A".
    static func short(_ reference: String) -> String {
        let parts = reference.split(separator: ":").filter { !origins.contains(String($0)) }
        let last = parts.count > 1 ? String(parts[parts.count - 1]) : reference
        guard parts.count <= 1, let line = last.firstIndex(of: "_") else { return last }
        let rest = last[last.index(after: line)...]
        return rest.isEmpty ? last : String(rest)
    }

    /// The reference; nil for the dash that some operators send for none.
    static func valid(_ reference: String?) -> String? {
        reference.flatMap { $0 == "-" ? nil : $0 }
    }
}
