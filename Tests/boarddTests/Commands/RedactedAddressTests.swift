import Testing

@testable import boardd

@Suite("A password in an address of a report")
struct RedactedAddressTests {
    @Test(
        "is redacted with everything before the host, also where it contains an @, a colon or a slash",
        arguments: [
            ("https://me:s3kret@host/a", "https://(redacted)@host/a"),
            ("https://me:s3@kret@host/a", "https://(redacted)@host/a"),
            ("https://me:s3@k@ret@host.example:8443/a", "https://(redacted)@host.example:8443/a"),
            ("https://me@mail.example:s3kret@host/a", "https://(redacted)@host/a"),
            ("http://:s3@kret@127.0.0.1", "http://(redacted)@127.0.0.1"),
            ("url = \"https://me:s3@kret@host/a\"", "url = \"https://(redacted)@host/a\""),
        ])
    func password(text: String, expected: String) {
        #expect(Redactor([]).redacted(text) == expected)
    }
}
