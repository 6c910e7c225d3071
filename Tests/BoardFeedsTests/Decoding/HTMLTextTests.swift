import Testing

@testable import BoardFeeds

@Suite("Plain text of HTML")
struct HTMLTextTests {
    @Test(
        "tags are dropped, the text of links remains, entities become characters, repeated blanks become one",
        arguments: [
            ("plain", "plain"), ("", ""), ("\n<p>a</p>\n<p>b</p>", "a b"), ("a<br/>b", "a b"),
            ("up to&nbsp;40 minutes", "up to 40 minutes"), ("Ox<b>ford</b>", "Oxford"),
            ("in <A href=\"    http://x/1.aspx\">Latest Travel News.</A>", "in Latest Travel News."),
            ("&lt;p&gt;twice&amp;nbsp;escaped&lt;/p&gt;", "twice escaped"), ("&pound;5 &#163;6 &#xA3;7", "£5 £6 £7"),
            ("A & B &amp; C &unknown; &", "A & B & C &unknown; &"), ("5 < 6 and 7 > 6", "5 < 6 and 7 > 6"),
            ("cut <a href=\"http", "cut"), ("<!-- note -->a", "a"), ("<!-- 1 > 0 -->a<!x>b", "ab"),
            ("a <!-- without an end", "a"), ("&lt;!-- twice &gt; --&gt;a", "a"),
            ("fewer &lt;than 5 trains", "fewer <than 5 trains"), ("4 &lt;/5 <b>a</b>", "4 </5 a"),
            ("&#0;&#xFFFFFFFF;&#xD800;a", "&#xFFFFFFFF;&#xD800;a"),
            ("a\u{0}\u{1B}[2Jb", "a [2Jb"), ("Gen&egrave;ve &Omega; &rsaquo; &yuml;&nbsp;&thetasym;", "Genève Ω › ÿ ϑ"),
            ("a\r\n\tb\u{A0} c", "a b c"), (#"\"#, #"\"#), (#"\n \r \t"#, ""), ("&#99999999999;", "&#99999999999;"),
            ("A &harr; B", "A ↔ B"), (#"one\ntwo\r\nthree \ four"#, #"one two three \ four"#),
        ])
    func plain(_ html: String, _ expected: String) {
        #expect(HTMLText.plain(html) == expected)
    }
}
