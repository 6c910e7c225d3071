import CQREncode

/// A QR code (ISO/IEC 18004) with error correction M, for the camera of a phone.
struct QRCode {
    /// The number of modules on each side.
    let width: Int
    /// Row by row; true: dark.
    let modules: [Bool]

    /// Nil: the text has more than 2,331 bytes, or there is no memory.
    init?(_ text: String) {
        let code = unsafe text.utf8.withContiguousStorageIfAvailable { bytes in
            unsafe QRcode_encodeData(Int32(clamping: bytes.count), bytes.baseAddress, 0, QR_ECLEVEL_M)
        }
        guard let code = unsafe code ?? nil else { return nil }
        defer { unsafe QRcode_free(code) }
        let width = Int(unsafe code.pointee.width)
        // The lowest bit of a module is its colour.
        modules = (0..<width * width).map { index in unsafe code.pointee.data[index] & 1 == 1 }
        self.width = width
    }

    /// A picture, dark on white in every appearance, with the quiet zone of four modules around the code.
    var svg: String {
        let margin = 4
        let side = width + 2 * margin
        var path = ""
        for y in 0..<width {
            var x = 0
            while x < width {
                let end = (x..<width).first { !modules[y * width + $0] } ?? width
                if end > x { path += "M\(x + margin) \(y + margin).5h\(end - x)" }
                x = max(end, x + 1)
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" shape-rendering="crispEdges">\
            <rect width="\(side)" height="\(side)" fill="#fff"/><path stroke="#000" d="\(path)"/></svg>
            """
    }
}
