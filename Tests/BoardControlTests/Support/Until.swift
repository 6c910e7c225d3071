import Testing

/// Waits until something holds, for a minute at most, which only a broken server needs.
func until(_ place: SourceLocation = #_sourceLocation, _ condition: () async -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < end {
        if await condition() { return }
        try await Task.sleep(for: .milliseconds(5))
    }
    try #require(await condition(), sourceLocation: place)
}
