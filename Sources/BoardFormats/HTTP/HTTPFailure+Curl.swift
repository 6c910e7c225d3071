internal import CCurl
internal import Glibc

extension HTTPFailure.Kind {
    /// X509_V_ERR_CERT_NOT_YET_VALID of OpenSSL.
    private static let notYetValid = 9
    /// X509_V_ERR_CERT_HAS_EXPIRED of OpenSSL.
    private static let expired = 10

    /// What a result other than CURLE_OK means.
    init(_ code: CURLcode, of easy: UnsafeMutableRawPointer) {
        self =
            switch code {
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .couldNotResolve
            case CURLE_COULDNT_CONNECT: unsafe Self.connection(easy)
            case CURLE_OPERATION_TIMEDOUT: unsafe Self.isResolved(easy) ? .timedOut : .couldNotResolve
            case CURLE_PEER_FAILED_VERIFICATION: unsafe .tls(byDate: Self.isRejectedByDate(easy))
            case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
                CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
                CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED:
                .tls(byDate: false)
            case CURLE_BAD_CONTENT_ENCODING: .badEncoding
            case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2,
                CURLE_HTTP2_STREAM, CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
                .truncated
            case CURLE_URL_MALFORMAT: .disallowedURL
            default: .other(code: Int(code.rawValue))
            }
    }

    /// Why no connection was made, from the errno of the last connect(2).
    private static func connection(_ easy: UnsafeMutableRawPointer) -> Self {
        var number = 0
        _ = unsafe ccurl_get_long(easy, CURLINFO_OS_ERRNO, &number)
        return switch Int32(truncatingIfNeeded: number) {
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL: .noRoute
        case ETIMEDOUT: .timedOut
        default: .couldNotConnect
        }
    }

    /// Whether the name was resolved (at once for an address). If the router works and the line behind it is down, name
    /// servers do not respond, and the connection times out before there is an address.
    private static func isResolved(_ easy: UnsafeMutableRawPointer) -> Bool {
        var microseconds = curl_off_t(0)
        _ = unsafe ccurl_get_offset(easy, CURLINFO_NAMELOOKUP_TIME_T, &microseconds)
        return microseconds > 0
    }

    private static func isRejectedByDate(_ easy: UnsafeMutableRawPointer) -> Bool {
        var result = 0
        _ = unsafe ccurl_get_long(easy, CURLINFO_SSL_VERIFYRESULT, &result)
        return result == notYetValid || result == expired
    }
}
