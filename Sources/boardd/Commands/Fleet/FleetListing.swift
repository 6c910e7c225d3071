internal import BoardCore
internal import BoardService

/// The output of `boardd fleet`.
struct FleetListing {
    private let report: FleetReport

    init(_ report: FleetReport) {
        self.report = report
    }

    var text: String {
        var sections = ["\(report.board) at \(report.broker): \(report.isConnected ? "connected" : "not connected")\n"]
        let faults = [report.error, report.list?.fault].compactMap(\.self) + report.faults
        if !faults.isEmpty { sections.append(faults.map { "! \($0.asPrintedLine)\n" }.joined()) }
        var boards = TextTable()
        for board in report.boards {
            boards.add(
                board.name.description, board.isOnline ? "online" : "offline",
                board.isHub ? "hub" : "patience \(board.patience)", board.version)
        }
        sections.append(boards.text)
        if !report.responses.isEmpty {
            var responses = TextTable()
            for response in report.responses {
                let lines = response.lines.isEmpty ? "" : " " + response.lines.joined(separator: ",")
                responses.add(
                    response.stop.description + lines, response.by.map { "by \($0)" } ?? "no response yet",
                    response.ageSeconds.map { "\(Int($0)) s ago" } ?? "", response.error ?? "")
            }
            sections.append(responses.text)
        }
        if let list = report.list {
            sections.append(
                "list \(list.name): \(Daemon.count(list.favourites, "favourite"))\(list.isJoined ? "" : ", not shared by this board")\n"
            )
        }
        return sections.joined(separator: "\n")
    }
}
