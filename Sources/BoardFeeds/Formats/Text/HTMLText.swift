/// Converts operators' HTML to plain text; HTML is never rendered.
enum HTMLText {
    /// The longest name of an entity: `thetasym`.
    private static let maximumEntityLength = 10
    /// The longest input, in Unicode scalars; the rest is cut off. Alerts have up to 4,000 with their tags, of which at
    /// most 2,000 characters are used, and each step below takes several times their memory.
    static let maximumLength = 20_000
    /// Tags that break a line, in lower case; other tags may be inside a word.
    private static let breaking: Set<String> = [
        "p", "br", "div", "li", "ul", "ol", "tr", "td", "th", "table", "hr", "h1", "h2", "h3", "h4", "h5", "h6",
    ]
    /// The named entities of HTML 4 from U+00A0 to U+00FF, in their order.
    private static let latin = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute
        micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig
        Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash
        Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute
        ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc
        uuml yacute thorn yuml
        """
    /// The others, with their numbers.
    private static let others = """
        quot=22 amp=26 lt=3C gt=3E OElig=152 oelig=153 Scaron=160 scaron=161 Yuml=178 fnof=192 circ=2C6 tilde=2DC
        Alpha=391 Beta=392 Gamma=393 Delta=394 Epsilon=395 Zeta=396 Eta=397 Theta=398 Iota=399 Kappa=39A Lambda=39B
        Mu=39C Nu=39D Xi=39E Omicron=39F Pi=3A0 Rho=3A1 Sigma=3A3 Tau=3A4 Upsilon=3A5 Phi=3A6 Chi=3A7 Psi=3A8 Omega=3A9
        alpha=3B1 beta=3B2 gamma=3B3 delta=3B4 epsilon=3B5 zeta=3B6 eta=3B7 theta=3B8 iota=3B9 kappa=3BA lambda=3BB
        mu=3BC nu=3BD xi=3BE omicron=3BF pi=3C0 rho=3C1 sigmaf=3C2 sigma=3C3 tau=3C4 upsilon=3C5 phi=3C6 chi=3C7 psi=3C8
        omega=3C9 thetasym=3D1 upsih=3D2 piv=3D6 ensp=2002 emsp=2003 thinsp=2009 zwnj=200C zwj=200D lrm=200E rlm=200F
        ndash=2013 mdash=2014 lsquo=2018 rsquo=2019 sbquo=201A ldquo=201C rdquo=201D bdquo=201E dagger=2020 Dagger=2021
        bull=2022 hellip=2026 permil=2030 prime=2032 Prime=2033 lsaquo=2039 rsaquo=203A oline=203E frasl=2044 euro=20AC
        image=2111 weierp=2118 real=211C trade=2122 alefsym=2135 larr=2190 uarr=2191 rarr=2192 darr=2193 harr=2194
        crarr=21B5 lArr=21D0 uArr=21D1 rArr=21D2 dArr=21D3 hArr=21D4 forall=2200 part=2202 exist=2203 empty=2205
        nabla=2207 isin=2208 notin=2209 ni=220B prod=220F sum=2211 minus=2212 lowast=2217 radic=221A prop=221D
        infin=221E ang=2220 and=2227 or=2228 cap=2229 cup=222A int=222B there4=2234 sim=223C cong=2245 asymp=2248
        ne=2260 equiv=2261 le=2264 ge=2265 sub=2282 sup=2283 nsub=2284 sube=2286 supe=2287 oplus=2295 otimes=2297
        perp=22A5 sdot=22C5 lceil=2308 rceil=2309 lfloor=230A rfloor=230B lang=2329 rang=232A loz=25CA spades=2660
        clubs=2663 hearts=2665 diams=2666
        """
    private static let named: [String: Unicode.Scalar] = {
        var named: [String: Unicode.Scalar] = ["apos": "'"]
        for (index, name) in latin.split(whereSeparator: \.isWhitespace).enumerated() {
            named[String(name)] = Unicode.Scalar(UInt32(0xA0 + index))
        }
        for pair in others.split(whereSeparator: \.isWhitespace).map({ $0.split(separator: "=") }) {
            named[String(pair[0])] = UInt32(pair[1], radix: 16).flatMap(Unicode.Scalar.init)
        }
        return named
    }()

    /// One paragraph without tags, but with the text of links. Entities are replaced; blanks, line breaks, control
    /// characters and escapes such as `\n` become single blanks. HTML that is escaped twice is unescaped twice; an
    /// unclosed tag in it is literal text ("fewer &lt;than 5").
    ///
    /// - Parameter isCut: whether text after an unclosed tag is dropped, as in a truncated alert.
    static func plain(_ html: String, isCut: Bool = true) -> String {
        var scalars = unescaped(untagged(Array(html.unicodeScalars.prefix(maximumLength)), droppingUnclosed: isCut))
        if scalars.contains("<") { scalars = unescaped(untagged(scalars, droppingUnclosed: false)) }
        return collapsed(scalars)
    }

    /// A text with single blanks for blanks, control characters and escapes such as `\n`, and none at its ends.
    fileprivate static func collapsed(_ scalars: [Unicode.Scalar]) -> String {
        var text = String.UnicodeScalarView()
        var isAfterBlank = false
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            let isEscape = scalar == "\\" && index + 1 < scalars.count && ["n", "r", "t"].contains(scalars[index + 1])
            index += isEscape ? 2 : 1
            if isEscape || isBlank(scalar) {
                isAfterBlank = true
                continue
            }
            if isAfterBlank, !text.isEmpty { text.append(" ") }
            isAfterBlank = false
            text.append(scalar)
        }
        return String(text)
    }

    fileprivate static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value <= 0x20 || (0x7F...0xA0).contains(scalar.value)
            || !scalar.isASCII && scalar.properties.isWhitespace
    }

    /// The text outside tags and comments. A `<` that begins no tag remains.
    ///
    /// - Parameter droppingUnclosed: whether text after an unclosed tag is dropped, as in a truncated alert.
    private static func untagged(_ scalars: [Unicode.Scalar], droppingUnclosed: Bool) -> [Unicode.Scalar] {
        guard scalars.contains("<") else { return scalars }
        var result: [Unicode.Scalar] = []
        var index = 0
        while index < scalars.count {
            let scalar = scalars[index]
            guard scalar == "<", index + 1 < scalars.count, beginsTag(scalars[index + 1]),
                let end = tagEnd(scalars, from: index) ?? (droppingUnclosed ? scalars.count : nil)
            else {
                result.append(scalar)
                index += 1
                continue
            }
            let name = scalars[(index + 1)..<end].drop { $0 == "/" }.prefix {
                $0.properties.isAlphabetic || ("0"..."9").contains($0)
            }
            if breaking.contains(String(String.UnicodeScalarView(name)).lowercased()) { result.append(" ") }
            index = end + 1
        }
        return result
    }

    /// The index of the `>` that ends the tag at `index`; a comment ends with the first one after two dashes.
    private static func tagEnd(_ scalars: [Unicode.Scalar], from index: Int) -> Int? {
        let rest = scalars[index...]
        guard rest.starts(with: "<!--".unicodeScalars) else { return rest.firstIndex(of: ">") }
        return rest.indices.dropFirst(6).first { index in
            rest[index] == ">" && rest[index - 1] == "-" && rest[index - 2] == "-"
        }
    }

    private static func beginsTag(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && (scalar.properties.isAlphabetic || scalar == "/" || scalar == "!")
    }

    private static func unescaped(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard scalars.contains("&") else { return scalars }
        var result: [Unicode.Scalar] = []
        var index = 0
        while index < scalars.count {
            if scalars[index] == "&", let end = scalars[index...].prefix(maximumEntityLength + 2).firstIndex(of: ";"),
                let scalar = entity(String(String.UnicodeScalarView(scalars[(index + 1)..<end])))
            {
                result.append(scalar)
                index = end + 1
            } else {
                result.append(scalars[index])
                index += 1
            }
        }
        return result
    }

    /// The character for `amp`, `#163` or `#xA3`.
    private static func entity(_ name: String) -> Unicode.Scalar? {
        guard name.first == "#" else { return named[name] ?? named[name.lowercased()] }
        let digits = name.dropFirst()
        let isHex = digits.first == "x" || digits.first == "X"
        return UInt32(isHex ? digits.dropFirst() : digits, radix: isHex ? 16 : 10).flatMap(Unicode.Scalar.init)
    }
}

extension String {
    /// The text for people: without surrounding blanks or HTML, and with single blanks for repeated ones, line breaks
    /// and control characters.
    var plainText: String {
        if utf8.contains(where: { [UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: "\\")].contains($0) }) {
            let text = HTMLText.plain(self, isCut: false)
            // A name of one word in angle brackets is not a tag.
            if !text.isEmpty { return text }
        }
        var last: Unicode.Scalar = " "
        let isClean = unicodeScalars.allSatisfy { scalar in
            defer { last = scalar }
            return !HTMLText.isBlank(scalar) || scalar == " " && last != " "
        }
        return isClean && last != " " ? self : HTMLText.collapsed(Array(unicodeScalars))
    }

    /// A text in UTF-8 or, if that is invalid, in Windows-1252, of which ISO 8859-1 is a part.
    init(encoded bytes: some Collection<UInt8>) {
        self = String(validating: bytes, as: UTF8.self) ?? String(String.UnicodeScalarView(bytes.map(Self.scalar)))
    }

    /// The characters of Windows-1252 from 0x80 to 0x9F; codes without one are control characters.
    private static let windows = Array("€\u{81}‚ƒ„…†‡ˆ‰Š‹Œ\u{8D}Ž\u{8F}\u{90}‘’“”•–—˜™š›œ\u{9D}žŸ".unicodeScalars)

    private static func scalar(_ byte: UInt8) -> Unicode.Scalar {
        (0x80...0x9F).contains(byte) ? windows[Int(byte) - 0x80] : Unicode.Scalar(byte)
    }
}
