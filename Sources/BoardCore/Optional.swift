extension Optional {
    @inlinable
    public func isSomeAnd(_ condition: (Wrapped) throws -> Bool) rethrows -> Bool {
        if let self { try condition(self) } else { false }
    }

    @inlinable
    public func isNilOr(_ condition: (Wrapped) throws -> Bool) rethrows -> Bool {
        if let self { try condition(self) } else { true }
    }
}
