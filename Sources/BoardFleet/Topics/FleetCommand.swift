import BoardCore
import BoardService
import FoundationEssentials

/// A command to a board in a message from the broker: what a person at its buttons can do, and nothing else.
enum FleetCommand: Hashable, Sendable {
    case press(Gesture, ButtonID)
    case refresh
    /// The identifier or the name of a page.
    case page(String)
    case light(LightMode)
    case message(BoardMessage)

    /// The last level of the topic.
    enum Name: String, CaseIterable, Sendable {
        case press, refresh, page, light, message
    }

    /// In bytes: a text of 200 characters, each of several scalars that JSON escapes.
    static let maximumPayloadSize = 8_192

    /// Parses a payload: the text that Home Assistant sends, or a JSON object with the keys of the HTTP requests.
    init(_ name: Name, payload: [UInt8]) throws {
        guard payload.count <= Self.maximumPayloadSize else {
            throw PlainError(
                name, "the payload has \(payload.count) bytes; at most \(Self.maximumPayloadSize) are allowed")
        }
        guard let text = String(validating: payload, as: UTF8.self) else {
            throw PlainError(name, "the payload is not UTF-8")
        }
        let fields = text.hasPrefix("{") ? try CommandFields(payload, of: name) : nil
        // What Home Assistant's buttons send unless their announcement sets another text.
        let isBare = ["", "PRESS"].contains(text)
        switch name {
        case .press:
            let word = fields.map { $0.gesture ?? "" } ?? (isBare ? Gesture.short.rawValue : text)
            guard let gesture = Gesture(rawValue: word) else {
                throw PlainError(name, "\(Self.quoted(word)) is not a gesture; write short, hold, long-hold or double")
            }
            let number = fields?.number ?? 1
            guard number >= 1 else { throw PlainError(name, "number is \(number); buttons are counted from 1") }
            self = .press(gesture, ButtonID(number: number))
        case .refresh:
            guard isBare || fields != nil else {
                throw PlainError(name, "\(Self.quoted(text)) is not allowed; the payload must be empty or PRESS")
            }
            self = .refresh
        case .page:
            let page = fields.map { $0.page ?? "" } ?? text
            guard !page.isEmpty else { throw PlainError(name, "page is empty; write overview, a stop or a title") }
            self = .page(page)
        case .light:
            let word = fields.map { $0.light ?? "" } ?? text
            guard let mode = LightMode(rawValue: word) else {
                throw PlainError(name, "\(Self.quoted(word)) is not a mode of the light; write auto, on or off")
            }
            self = .light(mode)
        case .message:
            do throws(ServiceError) {
                self = .message(
                    try BoardMessage(
                        fields.map { $0.text ?? "" } ?? text, seconds: fields?.seconds ?? BoardMessage.defaultSeconds))
            } catch {
                throw PlainError(name, error.message)
            }
        }
    }

    func perform(on board: any BoardService) async throws(ServiceError) {
        switch self {
        case .press(let gesture, let button): try await board.press(gesture, button: button)
        case .refresh: try await board.refresh()
        case .page(let page): try await board.show(page: page)
        case .light(let mode): try await board.setLight(mode)
        case .message(let message): try await board.show(message)
        }
    }

    fileprivate static func quoted(_ text: String) -> String {
        let longest = 60
        let line = text.asPrintedLine
        return "\"\(line.count > longest ? "\(line.prefix(longest))…" : line)\""
    }
}

extension PlainError {
    /// Why a command is not performed: one sentence.
    fileprivate init(_ name: FleetCommand.Name, _ reason: String) {
        self.init("command \(name.rawValue): \(reason)")
    }
}

/// The keys of all commands. Unknown keys are ignored: another version may have them.
private struct CommandFields: Decodable {
    let gesture: String?
    let number: Int?
    let page: String?
    let light: String?
    let text: String?
    let seconds: Int?

    init(_ payload: [UInt8], of name: FleetCommand.Name) throws {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(payload))
        } catch let error as DecodingError {
            throw PlainError(name, "the payload is not a JSON object of texts and whole numbers\(Self.place(error))")
        } catch {
            throw PlainError(name, "the payload is not valid JSON")
        }
    }

    private static func place(_ error: DecodingError) -> String {
        let path: [any CodingKey] =
            switch error {
            case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
                .dataCorrupted(let context):
                context.codingPath
            @unknown default: []
            }
        return path.isEmpty ? "" : ": \(path.map(\.stringValue).joined(separator: "."))"
    }
}
