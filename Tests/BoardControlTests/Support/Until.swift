import Testing
import Waiting

/// Waits until something holds, and fails where it does not, as of a broken server.
func until(_ place: SourceLocation = #_sourceLocation, _ condition: () async -> Bool) async throws {
    let holds = await eventually { await condition() }
    try #require(holds, sourceLocation: place)
}
