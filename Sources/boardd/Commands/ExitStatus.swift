internal import BoardCore

/// The exit statuses of sysexits.h in use.
enum ExitStatus {
    static let usage: Int32 = 64
    static let noInput: Int32 = 66
    static let unavailable: Int32 = 69
    static let systemError: Int32 = 71
    static let ioError: Int32 = 74
    static let temporaryFailure: Int32 = 75
    static let protocolError: Int32 = 76
    static let noPermission: Int32 = 77
    static let configuration: Int32 = 78

    /// The exit status after a failed request.
    static func status(of failure: FeedFailure.Kind) -> Int32 {
        switch failure {
        case .unknownStop: noInput
        case .keyRejected, .keyMissing: noPermission
        case .unreadable: protocolError
        case .noNetwork, .timedOut, .rateLimited, .status, .certificateDate, .cancelled: temporaryFailure
        case .certificate, .noZone: unavailable
        }
    }
}
