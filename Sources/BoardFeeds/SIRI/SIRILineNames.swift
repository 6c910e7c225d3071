struct SIRILineNames: Hashable, Sendable {
    /// The element of a visit whose text names the line.
    enum Element: String, CaseIterable, Sendable {
        /// The name for riders, if the operator sends one.
        case publishedLineName = "PublishedLineName"
        /// The reference: for operators whose published names are streets ("MISSION") while buses show the reference ("14").
        case lineRef = "LineRef"
    }

    /// Configured names, by the operator's references; they override the operator's.
    var configured: [String: String] = [:]
    var element = Element.publishedLineName

    /// The name of the line with this reference.
    ///
    /// - Parameter published: the line's PublishedLineName; nil if absent.
    subscript(reference: String, published published: String? = nil) -> String {
        configured[reference] ?? (element == .publishedLineName ? published : nil) ?? SIRIReference.short(reference)
    }
}
