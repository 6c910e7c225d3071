public import BoardCore

/// The body of a POST: XML in which keys are separate, so that printed and recorded text never contains one.
public struct HTTPContent: Sendable, CustomStringConvertible {
    public enum Piece: Sendable {
        /// XML.
        case text(String)
        /// A key, escaped as XML when sent.
        case secret(Secret)
        /// XML that differs between equal requests: a timestamp, an identifier, the requestor.
        case variable(String)
    }

    /// The `Content-Type`.
    public let type: String
    public let pieces: [Piece]

    public init(type: String, _ pieces: [Piece]) {
        self.type = type
        self.pieces = pieces
    }

    /// The text on one line, with three stars for each key, whatever its length, and each variable: equal requests have equal
    /// descriptions.
    public var description: String {
        text(variable: { _ in "***" }) { _ in "***" }.split { $0 == "\n" || $0 == "\r" || $0 == "\r\n" }.joined(
            separator: " ")
    }

    /// The text as sent, with keys: for libcurl only.
    var revealed: String {
        text(variable: { $0 }) { XMLText.escaped($0.revealed) }
    }

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
