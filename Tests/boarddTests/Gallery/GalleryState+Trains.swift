import BoardCore

// Trains, walks, alerts, and detail pages.
extension GalleryState {
    static func trains(_ state: StateFactory) -> [GalleryState] {
        let sample = state.sample
        func station(_ change: (inout Favourite) -> Void = { _ in }) -> [Favourite] {
            var favourite = Favourite(stop: sample.halt, label: sample.station.label)
            change(&favourite)
            return [favourite]
        }
        func walking(_ time: Duration) -> [Favourite] { station { $0.walk = time } }
        func opened(_ presses: Int, _ simulation: inout Simulation) {
            simulation.after(.seconds(3), .polled(sample.trains(alerts: sample.activeAlerts)))
            simulation.press(for: .milliseconds(700))
            for _ in 0..<presses { simulation.press(for: .milliseconds(100)) }
            simulation.after(.seconds(3))
        }
        let pages = [
            state("trains and a bus", favourites: station()) { $0.after(.seconds(3), .polled(sample.trains())) },
            state("trains and a bus, second screen", favourites: station()) {
                $0.after(.seconds(3), .polled(sample.trains()))
                $0.press(for: .milliseconds(100)); $0.after(.seconds(2))
            },
            state("trains and a bus, third beat", favourites: station()) {
                $0.after(.seconds(3), .polled(sample.trains())); $0.after(.seconds(thirdBeat))
            },
            state("trains, overview", favourites: sample.favourites + station(), change: { $0.home = .overview }) {
                $0.polled(); $0.after(.zero, .polled(sample.trains()))
            },
            state("trains, four minutes' walk", favourites: walking(.seconds(240))) {
                $0.after(.seconds(3), .polled(sample.trains()))
            },
            state("trains, four minutes' walk, third beat", favourites: walking(.seconds(240))) {
                $0.after(.seconds(3), .polled(sample.trains())); $0.after(.seconds(thirdBeat))
            },
            state("nothing to catch", favourites: walking(.seconds(7_200))) { simulation in
                let catchable: [Departure] = [0, 1, 4].map { sample.train($0, at: GalleryState.start) }
                simulation.after(.seconds(3), .polled(FeedResponse(stop: Stop(id: sample.halt), departures: catchable)))
            },
        ]
        let alerts = (0..<4).map { beat in
            state("alerts of trains, \(3 * beat) seconds later", favourites: station()) {
                $0.after(.seconds(6), .polled(sample.trains(alerts: sample.activeAlerts)))
                $0.after(.seconds(3 * beat))
            }
        }
        let details: [GalleryState] = [
            state("opened alerts", favourites: station()) { opened(0, &$0) },
            state("detail page of a train, time to leave", favourites: walking(.seconds(180))) { simulation in
                simulation.after(.seconds(3), .polled(sample.trains()))
                simulation.press(for: .milliseconds(700))
                simulation.after(.seconds(3))
            },
            state("detail page of a train, in time", favourites: walking(.seconds(60))) { simulation in
                simulation.after(.seconds(3), .polled(sample.trains()))
                simulation.press(for: .milliseconds(700))
                simulation.after(.seconds(3))
            },
            state("detail page of a train, missed", favourites: walking(.seconds(240))) { simulation in
                simulation.after(.seconds(3), .polled(sample.trains()))
                simulation.press(for: .milliseconds(700))
                simulation.after(.seconds(3))
            },
        ]
        let legend = state("signs", favourites: station(), synchronised: true) { simulation in
            simulation.after(.seconds(3), .polled(sample.trains(1)))
            simulation.press(for: .milliseconds(700))
            // Through all screens of the departure.
            for _ in 0..<4 where simulation.board.render(at: simulation.now).frame.rows[0][0] != "⚠" {
                simulation.press(for: .milliseconds(100))
                simulation.after(.seconds(3))
            }
        }
        let run = (0..<(state.size.rows > 2 ? 5 : 9)).map { screen in
            state("detail page of a train and its run, screen \(screen + 1)", favourites: station()) { simulation in
                simulation.after(.seconds(3), .polled(sample.trains()))
                simulation.press(for: .milliseconds(700))
                let moment = GalleryState.start + .seconds(5)
                simulation.after(.zero, .detailsFetched(sample.train(0, at: moment), sample.details(at: moment)))
                for _ in 0..<screen { simulation.press(for: .milliseconds(100)) }
                simulation.after(.seconds(3))
            }
        }
        let bus = state("detail page of a bus instead of a train", favourites: station()) { simulation in
            let bus = FeedResponse(stop: Stop(id: sample.halt), departures: [sample.train(4, at: GalleryState.start)])
            simulation.after(.seconds(3), .polled(bus))
            simulation.press(for: .milliseconds(700))
            simulation.after(.seconds(3))
        }
        return pages + alerts + details + run + [bus, legend]
    }
}
