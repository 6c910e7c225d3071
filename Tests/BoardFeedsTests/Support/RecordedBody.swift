@testable import BoardFeeds

/// A response in the wrapper of `recorded_with_headers`: {status_code, headers, url, content}.
struct RecordedBody: Decodable {
    private enum CodingKeys: String, CodingKey {
        case status = "status_code"
        case headers, content
    }

    let status: Int
    let headers: [HTTPResponse.Header]
    let content: [UInt8]

    init(_ bytes: [UInt8]) throws { self = try FoundationJSON.decode(RecordedBody.self, from: bytes) }

    init(from decoder: any Decoder) throws {
        let response = try decoder.container(keyedBy: CodingKeys.self)
        status = try response.decode(Int.self, forKey: .status)
        headers = try response.decode([String: String].self, forKey: .headers).map { .init($0.key, $0.value) }
        content = Array(try response.decode(String.self, forKey: .content).utf8)
    }
}
