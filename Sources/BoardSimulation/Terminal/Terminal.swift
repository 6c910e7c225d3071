internal import Glibc

/// What a program may do with the terminal that it was started from.
public enum Terminal {
    /// Whether a descriptor is a terminal that understands cursor movement.
    public static func isTerminal(_ descriptor: Int32, environment: [String: String]) -> Bool {
        isatty(descriptor) == 1 && environment["TERM"] != "dumb"
    }

    /// Whether a person wants colours: not with NO_COLOR set to anything (no-color.org).
    public static func wantsColour(environment: [String: String]) -> Bool {
        environment["NO_COLOR"].map(\.isEmpty) ?? true
    }

    /// How many characters a terminal shows; nil where it does not say so.
    public static func size(_ descriptor: Int32) -> (columns: Int, rows: Int)? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }
}
