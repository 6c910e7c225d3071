// With this file SwiftPM does not search an index of all sources for tests of XCTest, of which there are none: compilers write no index.
import Testing

@main
enum Tests {
    static func main() async {
        guard CommandLine.arguments.contains("--testing-library") else {
            // `swift test` requests the tests of XCTest first.
            return print(#"{"name": "none", "tests": []}"#)
        }
        await Testing.__swiftPMEntryPoint() as Never
    }
}
