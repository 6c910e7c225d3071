extension String {
    /// The text as one line that moves no terminal's cursor, whatever an operator wrote into it: every control character
    /// and line break is a blank.
    var asPrintedLine: String {
        let scalars = unicodeScalars.map { scalar -> Unicode.Scalar in
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: " "
            default: scalar
            }
        }
        return String(UnicodeScalarView(scalars))
    }
}
