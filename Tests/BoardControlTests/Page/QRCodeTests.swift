import BoardStore
import ServerTesting
import Testing
import Waiting

@testable import BoardControl

@Suite(.endsHangs) struct QRCodeTests {
    @Test(arguments: ["http://10.0.0.2", "http://192.168.1.5:8480", "https://boardpi.tail1234.ts.net"])
    func `a code contains the text alone, with error correction M`(text: String) throws {
        let code = try #require(QRCode(text))
        let read = try #require(CodeReader(code))
        #expect(read.correction == 0b00)
        #expect(read.bytes == Array(text.utf8))
        #expect(read.terminator == 0)
    }

    @Test func `the longest name of a host has a code, and a text that is too long has none`() throws {
        let name = Array(repeating: String(repeating: "a", count: 62), count: 4).joined(separator: ".")
        #expect(QRCode("https://\(name):65535") != nil)
        #expect(QRCode("") == nil)
        #expect(QRCode(String(repeating: "a", count: 2_332)) == nil)
    }

    @Test func `the picture is one dark path on white, with four modules of quiet around it`() throws {
        let code = try #require(QRCode("http://192.168.1.5"))
        let svg = code.svg
        #expect(svg.contains("viewBox=\"0 0 \(code.width + 8) \(code.width + 8)\""))
        #expect(svg.contains("<rect width=\"\(code.width + 8)\" height=\"\(code.width + 8)\" fill=\"#fff\"/>"))
        #expect(svg.split(separator: "<path").count == 2 && svg.contains("<path stroke=\"#000\""))
        var drawn = Array(repeating: false, count: code.modules.count)
        for run in svg.matches(of: /M(\d+) (\d+)\.5h(\d+)/) {
            let (x, y, length) = (try #require(Int(run.1)) - 4, try #require(Int(run.2)) - 4, try #require(Int(run.3)))
            for column in x..<x + length { drawn[y * code.width + column] = true }
        }
        #expect(drawn == code.modules)
    }

    @Test func `the page serves the code of the address under which it was opened`() async throws {
        let page = try await RunningPage { $0.read = .paired }
        let response = try await page.request("GET", "/v1/page/qr.svg", host: "192.168.1.5:\(page.port)")
        #expect(response.status == 200 && response.header("content-type") == "image/svg+xml")
        #expect(response.text == QRCode("http://192.168.1.5:\(page.port)")?.svg)
    }

    @Test(arguments: ["127.0.0.1", "localhost", "[::1]"])
    func `for a browser on the board's machine the address is the board's in the network`(host: String) async throws {
        let page = try await RunningPage()
        let info = try await page.request("GET", "/v1/page", host: "\(host):\(page.port)")
        #expect(info.text.contains("\"address\":\"http://192.168.178.201\""))
        let code = try await page.request("GET", "/v1/page/qr.svg", host: "\(host):\(page.port)")
        #expect(code.text == QRCode("http://192.168.178.201")?.svg)
    }
}

/// Reads the bytes of a code of one block (versions 1 to 3) without errors: its format, then its data in zigzag.
private struct CodeReader {
    /// 0: M.
    let correction: Int
    let bytes: [UInt8]
    /// The four bits after the bytes.
    let terminator: Int

    init?(_ code: QRCode) {
        let width = code.width
        guard (21...29).contains(width) else { return nil }
        func isDark(_ x: Int, _ y: Int) -> Bool { code.modules[y * width + x] }
        // Beside the finder at the top left; the first five bits.
        let format = (0..<5).reduce(0) { $0 << 1 | (isDark($1, 8) ? 1 : 0) } ^ 0b10101
        correction = format >> 3
        func isMasked(_ x: Int, _ y: Int) -> Bool {
            switch format & 7 {
            case 0: (x + y) % 2 == 0
            case 1: y % 2 == 0
            case 2: x % 3 == 0
            case 3: (x + y) % 3 == 0
            case 4: (y / 2 + x / 3) % 2 == 0
            case 5: x * y % 2 + x * y % 3 == 0
            case 6: (x * y % 2 + x * y % 3) % 2 == 0
            default: ((x + y) % 2 + x * y % 3) % 2 == 0
            }
        }
        // Finders with their formats, timing, and the one alignment pattern from version 2 on.
        func isFunction(_ x: Int, _ y: Int) -> Bool {
            x < 9 && y < 9 || x >= width - 8 && y < 9 || x < 9 && y >= width - 8 || x == 6 || y == 6
                || width > 21 && abs(x - width + 7) <= 2 && abs(y - width + 7) <= 2
        }
        var bits: [Bool] = []
        var isUpward = true
        for right in stride(from: width - 1, to: 0, by: -2) {
            let right = right <= 6 ? right - 1 : right
            for step in 0..<width {
                let y = isUpward ? width - 1 - step : step
                for x in [right, right - 1] where x >= 0 && !isFunction(x, y) {
                    bits.append(isDark(x, y) != isMasked(x, y))
                }
            }
            isUpward.toggle()
        }
        func number(_ start: Int, _ count: Int) -> Int {
            bits[start..<start + count].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        }
        guard number(0, 4) == 0b0100 else { return nil }
        let count = number(4, 8)
        guard bits.count >= 16 + 8 * count else { return nil }
        bytes = (0..<count).map { UInt8(number(12 + 8 * $0, 8)) }
        terminator = number(12 + 8 * count, 4)
    }
}
