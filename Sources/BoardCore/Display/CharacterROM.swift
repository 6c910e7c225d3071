/// The characters that a controller was made with.
public enum CharacterROM: String, CaseIterable, Sendable {
    /// Japanese: on most cheap modules.
    case a00 = "A00"
    /// European.
    case a02 = "A02"
}
