extension Optional {
    /// There is a value and it satisfies the condition.
    @inlinable
    public func isSomeAnd(_ condition: (Wrapped) throws -> Bool) rethrows -> Bool {
        if let self { try condition(self) } else { false }
    }

    /// There is no value, or it satisfies the condition.
    @inlinable
    public func isNilOr(_ condition: (Wrapped) throws -> Bool) rethrows -> Bool {
        if let self { try condition(self) } else { true }
    }
}
