extension Duration {
    /// In microseconds, rounded towards zero; saturates on overflow.
    public var wholeMicroseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !overflow else { return seconds < 0 ? .min : .max }
        return product.addingSaturated(attoseconds / 1_000_000_000_000)
    }

    /// In seconds, rounded down.
    public var wholeSeconds: Int64 {
        wholeMicroseconds.dividedDown(by: 1_000_000)
    }

    var magnitude: Duration { self < .zero ? .zero - self : self }
}

extension BinaryInteger {
    /// The digits with leading zeros up to `width`; a sign counts extra.
    public func padded(to width: Int, radix: Int = 10) -> String {
        let digits = String(magnitude, radix: radix)
        return (self < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Int64 {
    @usableFromInline func addingSaturated(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    @usableFromInline func subtractingSaturated(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }

    /// The quotient rounded towards minus infinity, so that times before 1970 work the same way.
    func dividedDown(by divisor: Int64) -> Int64 {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// The remainder of ``dividedDown(by:)``: never negative.
    func remainderDown(by divisor: Int64) -> Int64 {
        let remainder = self % divisor
        return remainder < 0 ? remainder + divisor : remainder
    }
}
