internal import Glibc

/// The process's environment.
enum Environment {
    /// Every variable that is set; of two equal names the first, as getenv(3) has it.
    static var current: [String: String] {
        var variables: [String: String] = [:]
        guard var entry = unsafe environ else { return [:] }
        while let text = unsafe entry.pointee {
            let pair = unsafe String(cString: text).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if pair.count == 2, variables[String(pair[0])] == nil { variables[String(pair[0])] = String(pair[1]) }
            unsafe entry += 1
        }
        return variables
    }
}
