import BoardCore

// Trains, walks, alerts, and detail pages.
extension Scene {
    static func trains(_ scene: Stage) -> [Scene] {
        let town = scene.town
        func station(_ change: (inout Favourite) -> Void = { _ in }) -> [Favourite] {
            var favourite = Favourite(stop: town.halt, label: town.station.label)
            change(&favourite)
            return [favourite]
        }
        func walking(_ time: Duration, _ uncatchable: Favourite.Uncatchable) -> [Favourite] {
            station {
                $0.walk = time
                $0.uncatchable = uncatchable
            }
        }
        func opened(_ presses: Int, _ player: inout Player) {
            player.after(.seconds(3), .polled(town.trains(alerts: town.activeAlerts)))
            player.press(for: .seconds(2))
            for _ in 0..<presses { player.press(for: .milliseconds(100)) }
            player.after(.seconds(3))
        }
        let pages = [
            scene("trains", favourites: station()) { $0.after(.seconds(3), .polled(town.trains(4))) },
            scene("trains and a bus", favourites: station()) { $0.after(.seconds(3), .polled(town.trains())) },
            scene("trains and a bus, second screen", favourites: station()) {
                $0.after(.seconds(3), .polled(town.trains()))
                $0.press(for: .milliseconds(100)); $0.after(.seconds(2))
            },
            scene("trains, overview", favourites: town.favourites + station(), change: { $0.home = .overview }) {
                $0.polled(); $0.after(.zero, .polled(town.trains()))
            },
            scene("trains, four minutes' walk, marked", favourites: walking(.seconds(240), .mark)) {
                $0.after(.seconds(3), .polled(town.trains()))
            },
            scene("trains, four minutes' walk, hidden", favourites: walking(.seconds(240), .hide)) {
                $0.after(.seconds(3), .polled(town.trains()))
            },
            scene("nothing to catch", favourites: walking(.seconds(7_200), .hide)) { player in
                let catchable: [Departure] = [0, 1, 4].map { town.train($0, at: Scene.start) }
                player.after(
                    .seconds(3), .polled(FeedResponse(stop: Stop(id: town.halt), departures: catchable)))
            },
        ]
        let alerts = [
            scene("alerts, marked") {
                $0.after(.seconds(3), .polled(town.response(town.first, alerts: town.activeAlerts)))
            },
            scene("alerts of trains, marked", favourites: station()) {
                $0.after(.seconds(3), .polled(town.trains(alerts: town.activeAlerts)))
            },
            scene("alerts, in the last row", change: { $0.alertsRow = true }) {
                $0.after(.seconds(3), .polled(town.response(town.first, alerts: town.activeAlerts)))
            },
            scene("alerts, in the last row, the next part", change: { $0.alertsRow = true }) {
                $0.after(.seconds(3), .polled(town.response(town.first, alerts: town.activeAlerts)))
                $0.after(.milliseconds(2_500))
            },
            scene("alerts, where a message needs the row", change: { $0.alertsRow = true }) {
                $0.after(.seconds(3), .polled(town.response(town.first, alerts: town.activeAlerts)))
                $0.failed(.timedOut, times: 3)
            },
        ]
        let details: [Scene] = [
            scene("opened alerts", favourites: station()) { opened(0, &$0) },
            scene("detail page of a train, time to leave", favourites: walking(.seconds(180), .hide)) { player in
                player.after(.seconds(3), .polled(town.trains()))
                player.press(for: .seconds(2))
                player.after(.seconds(3))
            },
            scene("detail page of a train, in time", favourites: walking(.seconds(60), .hide)) { player in
                player.after(.seconds(3), .polled(town.trains()))
                player.press(for: .seconds(2))
                player.after(.seconds(3))
            },
            scene("detail page of a train, missed", favourites: walking(.seconds(240), .mark)) { player in
                player.after(.seconds(3), .polled(town.trains()))
                player.press(for: .seconds(2))
                player.after(.seconds(3))
            },
        ]
        let run = (0..<(scene.size.rows > 2 ? 5 : 9)).map { screen in
            scene("detail page of a train and its run, screen \(screen + 1)", favourites: station()) { player in
                player.after(.seconds(3), .polled(town.trains()))
                player.press(for: .seconds(2))
                let moment = Scene.start + .seconds(5)
                player.after(.zero, .detailsFetched(town.train(0, at: moment), town.details(at: moment)))
                for _ in 0..<screen { player.press(for: .milliseconds(100)) }
                player.after(.seconds(3))
            }
        }
        let bus = scene("detail page of a bus instead of a train", favourites: station()) { player in
            let bus = FeedResponse(stop: Stop(id: town.halt), departures: [town.train(4, at: Scene.start)])
            player.after(.seconds(3), .polled(bus))
            player.press(for: .seconds(2))
            player.after(.seconds(3))
        }
        return pages + alerts + details + run + [bus]
    }
}
