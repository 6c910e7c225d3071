import BoardCore
import Testing

@Suite("Percent-encoded text")
struct PercentEncodingTests {
    @Test("bytes are encoded except ASCII letters, digits and the given characters; decoding gives them back")
    func encoding() {
        #expect(PercentEncoding.encoded("gtfs.city/é 1~") == "gtfs.city%2F%C3%A9%201~")
        for text in ["", "%", "a\n\u{1F600}", "١"] {
            #expect(PercentEncoding.decoded(PercentEncoding.encoded(text)) == Array(text.utf8))
        }
    }

    @Test(
        "a percent sign without two hexadecimal digits is not decoded", arguments: ["%", "%4", "%g0", "%+1", "a%%20"])
    func malformed(text: String) { #expect(PercentEncoding.decoded(text) == nil) }
}
