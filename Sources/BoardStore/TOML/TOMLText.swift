/// Values as TOML writes them.
package enum TOMLText {
    /// A text in double quotes. Control characters are not allowed in it.
    package static func quoted(_ text: String) -> String {
        let scalars = text.unicodeScalars.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
        return "\"" + String(String.UnicodeScalarView(scalars)) + "\""
    }
}
