internal import FoundationEssentials

enum Environment {
    static var current: [String: String] { ProcessInfo.processInfo.environment }
}
