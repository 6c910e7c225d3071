internal import ArgumentParser

/// The command line.
struct Boardd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "boardd",
        abstract: "A departure board that ages every estimate by its own timestamp and time to live.",
        discussion: """
            The board is described by /etc/boardd/boardd.toml, where every key is shown with its default and its legal \
            values, and its stops by /etc/boardd/favourites.toml. Keys of operators are in /etc/boardd/keys.env; a variable \
            of the same name wins. SIGHUP reads the files anew; SIGTERM and SIGINT end the board with a last picture. \
            Results go to standard output, everything else to standard error. A wrong use ends with status 64, faulty files \
            with 78, results that cannot be written with 74, an operator that cannot be reached with 69 or 75, one whose \
            response cannot be read with 76.
            """,
        version: Version.number,
        subcommands: [
            RunCommand.self, CheckCommand.self, DeparturesCommand.self, StopsCommand.self, FavouritesCommand.self,
            PressCommand.self, RefreshCommand.self, ReloadCommand.self, StatusCommand.self, ReportCommand.self,
        ])
}

extension Boardd {
    /// Runs the command of the command line, prints what it has to say in the end, and gives the exit status. Nothing below
    /// ends the program by itself.
    static func status() async -> Int32 {
        do {
            var command = try await asyncParseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return ExitCode.success.rawValue
        } catch let failure as OutputFailure {
            return failed(failure)
        } catch {
            let (text, code) = (fullMessage(for: error), exitCode(for: error))
            if !text.isEmpty {
                // Who asks for help or the version gets them as a result.
                guard code.isSuccess else {
                    StandardError.write(text + "\n")
                    return code.rawValue
                }
                do throws(OutputFailure) {
                    try StandardOutput.write(text + "\n")
                } catch {
                    return failed(error)
                }
            }
            return code.rawValue
        }
    }

    private static func failed(_ failure: OutputFailure) -> Int32 {
        StandardError.write("\(failure)\n")
        return SystemExit.ioError
    }
}
