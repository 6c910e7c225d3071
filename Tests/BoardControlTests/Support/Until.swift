import Testing
import Waiting

/// Waits until a condition holds, and fails where it does not.
func until(_ location: SourceLocation = #_sourceLocation, _ condition: () async -> Bool) async throws {
    let holds = await eventually { await condition() }
    try #require(holds, sourceLocation: location)
}
