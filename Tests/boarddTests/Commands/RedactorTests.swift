import BoardIO
import TestOperators
import Testing

@testable import boardd

@Suite("Redacting keys")
struct RedactorTests {
    private func redacted(_ text: String, _ known: [String] = []) -> String { Redactor(known).redacted(text) }

    @Test(
        "the value of a key name is redacted, however it is written",
        arguments: [
            ("app_key = \"s3kret\"", "app_key = \"(redacted)\""),
            ("\"app_key\" = 's3kret' # mine", "\"app_key\" = '(redacted)' # mine"),
            ("# TOKEN=s3kret", "# TOKEN=(redacted)"),
            ("password = \"\"\"\ns3\nkret\n\"\"\"\nsize = 3", "password = \"\"\"(redacted)\"\"\"\nsize = 3"),
            ("keys = [\"s3\",\n \"kret\"]\nsize = 3", "keys = [(redacted)]\nsize = 3"),
            ("secret = { a = \"s3kret\" }", "secret = {(redacted)}"),
            ("key = \"s3\\\"kret\" # x", "key = \"(redacted)\" # x"),
            ("key = \"s3kret", "key = \"(redacted)"),
            ("Authorization: Bearer s3kret", "Authorization: (redacted)"),
            ("GET /a?app_key=s3kret&page=1", "GET /a?app_key=(redacted)&page=(redacted)"),
            ("https://me:s3kret@host/a", "https://(redacted)@host/a"),
            ("https://me:s3@kret@host/a", "https://(redacted)@host/a"),
            ("https://me:s3/kr@et@host/a?b", "https://(redacted)@host/a?b"),
            ("https://me:s3@k@ret@host.example:8443/a", "https://(redacted)@host.example:8443/a"),
            ("https://me@mail.example:s3kret@host/a", "https://(redacted)@host/a"),
            ("http://:s3@kret@127.0.0.1", "http://(redacted)@127.0.0.1"),
            ("url = \"https://me:s3@kret@host/a\"", "url = \"https://(redacted)@host/a\""),
            ("https://host/a?s3kret9", "https://host/a?(redacted)"),
            ("label = \"0123456789abcdef0123456789abcdef\"", "label = \"(redacted)\""),
            ("https://host/0123456789abcdef0123/feed", "https://host/(redacted)/feed"),
        ])
    func keyNames(text: String, expected: String) {
        #expect(redacted(text) == expected)
    }

    @Test("a configured value is redacted wherever it is, the longer one first, and a short one is left")
    func known() {
        #expect(redacted("x-sekret-2 and sekret", ["sekret", "sekret-2"]) == "x-(redacted) and (redacted)")
        #expect(Redactor(["a"]).redactingKnown("banana") == "banana")
    }

    @Test(
        "ordinary words stay",
        arguments: [
            "id = \"tfl:490008660N\"", "location = \"51.5154,-0.1419\"", "url = \"https://api.tfl.gov.uk\"",
            "boardd 0.1.0 started with 3 favourites", "is this right? no", "http://host:8080/@home", "http://[::1]/a@b",
            "2026-11-21T10:38:31+00:00 host boardd[12]: x",
        ])
    func ordinary(text: String) {
        #expect(redacted(text) == text)
    }

    @Test("the shipped files stay unchanged, line by line")
    func shipped() throws {
        for name in ["boardd.toml", "favourites.toml"] {
            let text = try SmallFile.read("\(Checkout.path)/etc/boardd/\(name)", limit: 1_000_000).text
            #expect(redacted(text) == text)
        }
    }

    @Test("keys that a file names itself are found")
    func learnt() {
        let found = Redactor.keys(in: "token = \"abcd-1\"\nurl = \"http://h/?k=efgh-2&l=\"\n")
        #expect(found == ["abcd-1", "efgh-2"])
    }
}
