internal import CZip
internal import Glibc

extension TableFailure {
    /// A failure that libzip reports.
    ///
    /// - Parameters:
    ///   - code: one of `ZIP_ER_…`.
    ///   - system: the `errno` with it, or zlib's code.
    init(zip code: Int32, system: Int32, file: String) {
        var error = unsafe zip_error_t()
        unsafe zip_error_init(&error)
        unsafe zip_error_set(&error, code, system)
        let reason = unsafe String(cString: zip_error_strerror(&error))
        unsafe zip_error_fini(&error)
        let kind: Kind
        let what: String
        switch code {
        case ZIP_ER_OPEN, ZIP_ER_NOENT: (kind, what) = (.unopened, "cannot be opened")
        case ZIP_ER_NOZIP: (kind, what) = (.notAnArchive, "is not a zip, or is truncated")
        case ZIP_ER_COMPNOTSUPP, ZIP_ER_ENCRNOTSUPP, ZIP_ER_NOPASSWD, ZIP_ER_WRONGPASSWD, ZIP_ER_MULTIDISK:
            (kind, what) = (.unreadable, "uses an unsupported compression or encryption")
        default: (kind, what) = (.damaged, "is damaged or truncated")
        }
        self.init(kind: kind, file: file, detail: "\(what) (\(reason))")
    }
}
