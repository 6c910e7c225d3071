internal import FoundationEssentials

/// The process's environment.
enum Environment {
    /// Every variable that is set.
    static var current: [String: String] { ProcessInfo.processInfo.environment }
}
