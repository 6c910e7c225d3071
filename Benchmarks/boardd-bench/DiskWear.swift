internal import BoardCore
internal import BoardStore
internal import FoundationEssentials

/// The disk writes of a simulated day: the board and the driver in virtual time, an operator that responds every
/// 30 s, a person who presses, and the product's snapshot writer, which writes at once into a real folder.
enum DiskWear {
    /// The time between two visits of a person.
    private static let visits = Duration.seconds(1_200)
    /// The gestures of a visit, in turn.
    private static let gestures: [Gesture] = [.short, .short, .hold, .short, .longHold, .short, .hold]

    /// Writes the row.
    ///
    /// - Parameters:
    ///   - folder: the folder of the snapshots, in place of /run.
    ///   - hours: the simulated time.
    ///   - isControl: whether the folder is on a disk, to show that the measurement detects writes.
    static func report(folder: String, hours: Int, isControl: Bool) {
        var simulation = VirtualBoard([SampleOperator.oxford, SampleOperator.euston, SampleOperator.angel]) {
            request, time in
            .success(SampleOperator.response(to: request, at: time))
        }
        let file = SnapshotFile("board.json", in: folder)
        var snapshots = 0, bytes = 0, failures = 0
        simulation.save = { snapshot in
            do {
                let body = try Array(JSONEncoder().encode(snapshot))
                try file.write(body)
                snapshots += 1
                bytes += body.count
            } catch {
                failures += 1
            }
        }
        let before = ProcessCost.bytesToDisk
        var presses = 0
        for _ in 0..<(hours * 3_600 / Int(visits.inSeconds)) {
            simulation.wait(visits)
            for gesture in gestures {
                simulation.press(gesture)
                simulation.wait(.seconds(2))
                presses += 1
            }
        }
        let written = ProcessCost.bytesToDisk - before
        let summary = "\(snapshots) snapshots of \(bytes / max(1, snapshots)) bytes, \(presses) presses"
        let fault = failures == 0 ? "" : ", \(failures) NOT SAVED"
        if isControl {
            BenchmarkRow(
                what: "  the same for \(hours) h on a disk instead, as a control of the measurement",
                measured: "\(written) bytes (\(summary)\(fault))"
            ).write()
        } else {
            BenchmarkRow(
                what: "written to disks in \(hours) simulated hours, 3 favourites at 30 s",
                measured: "\(written) bytes (\(summary)\(fault))", goal: "0 bytes", isMet: written == 0 && failures == 0
            ).write()
        }
    }
}
