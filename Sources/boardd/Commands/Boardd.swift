internal import ArgumentParser

/// The command line.
struct Boardd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "boardd",
        abstract: "A departure board that shows how old each estimate is.",
        discussion: """
            /etc/boardd/boardd.toml configures the board; it lists every key with its default and its legal values. \
            favourites.toml beside it holds the stops, and keys.env the operators' keys; an environment variable of the \
            same name takes precedence. SIGHUP reloads the files; SIGTERM and SIGINT stop the board with a last frame. \
            Results go to standard output, everything else to standard error. Exit status: 64 wrong use, 78 faulty files, \
            74 failed output, 69 or 75 operator not reachable, 76 unreadable response.
            """,
        version: Version.number,
        subcommands: [
            RunCommand.self, SetupCommand.self, DemoCommand.self, CheckCommand.self, DoctorCommand.self,
            DeparturesCommand.self,
            StopsCommand.self, CitiesCommand.self, FavouritesCommand.self,
            PressCommand.self, ShowCommand.self, LightCommand.self, MessageCommand.self, RefreshCommand.self,
            ReloadCommand.self, StatusCommand.self, RenderCommand.self,
            PageCommand.self, FleetCommands.self, ReportCommand.self,
            HardwareCommand.self,
        ])

    /// Runs the command line, prints its error or help text, and returns the exit status. Nothing below ends the program by
    /// itself.
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
                // Requested help or version texts are results.
                guard code.isSuccess else {
                    let unknown = UnknownCommand(Array(CommandLine.arguments.dropFirst()))
                    StandardError.write(unknown.map { "\($0)" } ?? text + "\n")
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
        return ExitStatus.ioError
    }
}
