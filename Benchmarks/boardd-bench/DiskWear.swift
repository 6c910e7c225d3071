internal import BoardCore
internal import BoardStore
internal import FoundationEssentials

/// A day in a hallway, and what it wears the disk: the board and the driver in virtual time, an operator that answers every
/// 30 s and a person who presses, and the writer of the snapshot that the product has, writing at once into a real folder.
enum DiskWear {
    /// Between two visits of a person.
    private static let visits = Duration.seconds(1_200)
    /// What a person does in turn.
    private static let gestures: [Gesture] = [.short, .short, .hold, .short, .longHold, .short, .hold]

    /// Writes the row.
    ///
    /// - Parameters:
    ///   - folder: where the snapshots go, as they go into /run.
    ///   - hours: how long it lasts.
    ///   - isControl: whether the folder is on a disk, to show that the measure would see it.
    static func report(folder: String, hours: Int, isControl: Bool) {
        var hallway = VirtualBoard([London.oxford, London.euston, London.angel]) { question, time in
            .success(London.answer(question, at: time))
        }
        let file = SnapshotFile("board.json", in: folder)
        var snapshots = 0, bytes = 0, failures = 0
        hallway.save = { snapshot in
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
            hallway.wait(visits)
            for gesture in gestures {
                hallway.press(gesture)
                hallway.wait(.seconds(2))
                presses += 1
            }
        }
        let written = ProcessCost.bytesToDisk - before
        let tale = "\(snapshots) snapshots of \(bytes / max(1, snapshots)) bytes, \(presses) presses"
        let fault = failures == 0 ? "" : ", \(failures) NOT KEPT"
        if isControl {
            Result(
                what: "  the same for \(hours) h on a disk instead, to show what would be counted",
                measured: "\(written) bytes (\(tale)\(fault))"
            ).write()
        } else {
            Result(
                what: "written to disks in \(hours) simulated hours, 3 favourites at 30 s",
                measured: "\(written) bytes (\(tale)\(fault))", goal: "0 bytes", isMet: written == 0 && failures == 0
            ).write()
        }
    }
}
