/// How the display is lit.
public enum LightMode: String, CaseIterable, Hashable, Sendable, Codable {
    /// Dark in quiet hours, until a press.
    case auto
    /// Lit, also in quiet hours.
    case on
    /// Dark, until a press: then `auto`.
    case off
}
