internal import CZip
internal import Glibc

extension GTFSFailure {
    /// What libzip says is wrong.
    ///
    /// - Parameters:
    ///   - code: one of `ZIP_ER_…`.
    ///   - system: the `errno` with it, or zlib's.
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
        case ZIP_ER_NOZIP: (kind, what) = (.notAnArchive, "is no zip, or the end of one is missing")
        case ZIP_ER_COMPNOTSUPP, ZIP_ER_ENCRNOTSUPP, ZIP_ER_NOPASSWD, ZIP_ER_WRONGPASSWD, ZIP_ER_MULTIDISK:
            (kind, what) = (.unreadable, "is packed in a way that is not read")
        default: (kind, what) = (.damaged, "is damaged or cut short")
        }
        self.init(kind: kind, file: file, detail: "\(what) (\(reason))")
    }
}
