public import BoardCore

/// What a POST carries: text of XML in which keys are kept apart, so that what is printed and recorded has never held one.
public struct HTTPContent: Sendable, CustomStringConvertible {
    /// A part of the text.
    public enum Piece: Sendable {
        /// XML as it is.
        case text(String)
        /// A key, which is escaped as XML when it is sent.
        case secret(Secret)
        /// What asks nothing: at which moment it is asked, and by whom. XML as it is.
        case variable(String)
    }

    /// The `Content-Type`.
    public let type: String
    /// The text, piece by piece.
    public let pieces: [Piece]

    /// XML of these pieces.
    ///
    /// - Parameter type: the `Content-Type`.
    public init(type: String, _ pieces: [Piece]) {
        self.type = type
        self.pieces = pieces
    }

    /// The text on one line, with three stars for a key, whatever its length, and for what passes: two questions that ask the
    /// same are written alike.
    public var description: String {
        text(variable: { _ in "***" }) { _ in "***" }.split { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }.joined(
            separator: " ")
    }

    /// The text as it goes over the wire, keys and all: for libcurl and nobody else.
    var revealed: String {
        text(variable: { $0 }) { XMLText.escaped($0.revealed) }
    }

    /// The keys in it.
    var secrets: [Secret] {
        pieces.compactMap { piece in
            if case .secret(let secret) = piece { secret } else { nil }
        }
    }

    private func text(variable: (String) -> String, _ reveal: (Secret) -> String) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .secret(let secret): reveal(secret)
            case .variable(let text): variable(text)
            }
        }.joined()
    }
}
