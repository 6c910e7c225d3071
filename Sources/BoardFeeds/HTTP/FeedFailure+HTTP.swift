internal import BoardCore

extension FeedFailure {
    /// What a request without a whole answer means to the board, the same for every operator.
    ///
    /// An operator that refuses connections is there and not answering (`timedOut`); only a name that does not resolve
    /// and a network without a way are "no network". Once a status other than 200 had come, the rest of the body is
    /// of no matter: the caller maps that status.
    init(_ failure: HTTPFailure, requests: Int = 1) {
        let kind: Kind =
            switch failure.kind {
            case .couldNotResolve, .noRoute: .noNetwork
            case .couldNotConnect, .timedOut, .other: .timedOut
            case .cutShort: failure.response == nil ? .timedOut : .unreadable
            case .tls(let byDate): byDate ? .certificateDate : .certificate
            case .tooLarge, .badEncoding, .refusedURL, .notRecorded, .badRecording, .abandoned: .unreadable
            case .cancelled: .cancelled
            }
        self.init(kind, detail: failure.description, date: failure.response?.date, requests: requests)
    }
}
