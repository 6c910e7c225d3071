public enum CharacterROM: String, CaseIterable, Sendable {
    /// Japanese: most cheap modules.
    case a00 = "A00"
    /// European.
    case a02 = "A02"
}
