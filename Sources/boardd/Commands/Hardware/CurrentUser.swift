internal import Glibc

/// The user of this process, and the groups that the process has.
struct CurrentUser: Hashable, Sendable {
    let name: String
    let isRoot: Bool
    let groups: [String]

    /// Reads the user database; not on several threads at once.
    static var current: CurrentUser {
        var identifiers = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        let count = unsafe getgroups(Int32(identifiers.count), &identifiers)
        let all = Set(identifiers.prefix(Int(max(0, count))) + [getegid()])
        let groups = all.map { identifier in
            guard let group = unsafe getgrgid(identifier) else { return "\(identifier)" }
            return unsafe String(cString: group.pointee.gr_name)
        }
        let user = unsafe getpwuid(geteuid())
        let name = unsafe user.map { unsafe String(cString: $0.pointee.pw_name) }
        return CurrentUser(name: name ?? "\(geteuid())", isRoot: geteuid() == 0, groups: groups.sorted())
    }
}
