internal import BoardCore

/// A board as the Rail Data Marketplace writes it, and as Huxley 2 does, which is nearly the same.
struct RailMarketplaceBoard: Decodable {
    private enum CodingKeys: String, CodingKey {
        case generatedAt, locationName, crs, nrccMessages, platformAvailable, areServicesAvailable
        case trainServices, busServices, ferryServices
    }

    /// Asks for calling points; without it they are passed over.
    static let withCalls = CodingUserInfoKey(rawValue: "calls")

    let board: RailBoard

    init(from decoder: any Decoder) throws {
        let answer = try decoder.container(keyedBy: CodingKeys.self)
        // Without them it is something else: an error, a list.
        guard answer.contains(.generatedAt) || answer.contains(.crs) else { throw JSONFault.otherShape }
        var board = RailBoard()
        board.made = answer.time(.generatedAt)
        board.name = answer.text(.locationName)
        board.code = answer.text(.crs)
        board.messages = answer.rows(.nrccMessages, of: RailMarketplaceMessage.self).compactMap(\.text)
        board.showsPlatforms = answer.truth(.platformAvailable) ?? true
        board.showsServices = answer.truth(.areServicesAvailable) ?? true
        for (key, isBus) in [(CodingKeys.trainServices, false), (.busServices, true), (.ferryServices, false)] {
            let rows = try? answer.decodeIfPresent([LossyRow<RailMarketplaceService>].self, forKey: key)
            if rows == nil, answer.contains(key), (try? answer.decodeNil(forKey: key)) != true { board.badRows += 1 }
            for row in rows ?? [] {
                guard var service = row.row?.service else {
                    board.badRows += 1
                    continue
                }
                if isBus { service.isBus = true }
                board.services.append(service)
            }
        }
        self.board = board
    }
}

/// One service by itself, or a row of a board.
struct RailMarketplaceService: Decodable {
    private enum CodingKeys: String, CodingKey {
        case generatedAt, locationName, crs
        case sta, eta, ata, std, etd, atd, platform, `operator`, operatorCode, isCancelled, filterLocationCancelled
        case serviceType, length, cancelReason, delayReason, disruptionReason, serviceID
        case origin, destination, currentOrigins, currentDestinations
        case previousCallingPoints, subsequentCallingPoints
    }

    /// The service, with what is told of the answer where it is one by itself.
    let run: RailRun
    var service: RailService { run.service }

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: CodingKeys.self)
        var service = RailService()
        service.id = row.text(.serviceID)
        service.scheduledArrival = row.text(.sta)
        service.scheduled = row.text(.std)
        service.estimated = row.text(.etd)
        service.platform = row.text(.platform)
        service.company = row.text(.operator)
        service.companyCode = row.text(.operatorCode)
        service.isCancelled = row.truth(.isCancelled) ?? false
        service.passesFilter = row.truth(.filterLocationCancelled) ?? false
        // Huxley 2 has numbers: 1 is a bus.
        service.isBus = ["bus", "1"].contains(row.text(.serviceType))
        service.coaches = row.integer(.length)
        service.cancelReason = row.text(.cancelReason)
        service.delayReason = row.text(.delayReason) ?? row.text(.disruptionReason)
        service.origins = row.rows(.origin, of: RailMarketplacePlace.self).map(\.place)
        service.destinations = row.rows(.destination, of: RailMarketplacePlace.self).map(\.place)
        service.currentOrigins = row.rows(.currentOrigins, of: RailMarketplacePlace.self).map(\.place)
        service.currentDestinations = row.rows(.currentDestinations, of: RailMarketplacePlace.self).map(\.place)
        let isAlone = decoder.codingPath.isEmpty
        if let key = RailMarketplaceBoard.withCalls, isAlone || decoder.userInfo[key] != nil {
            service.estimatedArrival = row.text(.eta)
            service.actualArrival = row.text(.ata)
            service.actual = row.text(.atd)
            service.previous = row.rows(.previousCallingPoints, of: RailMarketplaceWay.self).map(\.way)
            service.subsequent = row.rows(.subsequentCallingPoints, of: RailMarketplaceWay.self).map(\.way)
        }
        run = RailRun(
            made: isAlone ? row.time(.generatedAt) : nil, name: isAlone ? row.text(.locationName) : nil,
            code: isAlone ? row.text(.crs) : nil, service: service)
    }
}

private struct RailMarketplacePlace: Decodable {
    private enum CodingKeys: String, CodingKey {
        case locationName, crs, via
    }

    let place: RailPlace

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: CodingKeys.self)
        place = RailPlace(name: row.text(.locationName), code: row.text(.crs), via: row.text(.via))
    }
}

private struct RailMarketplaceWay: Decodable {
    private enum CodingKeys: String, CodingKey {
        case callingPoint, assocIsCancelled
    }

    let way: RailWay

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: CodingKeys.self)
        way = RailWay(
            calls: row.rows(.callingPoint, of: RailMarketplaceCall.self).map(\.call),
            isCancelled: row.truth(.assocIsCancelled) ?? false)
    }
}

private struct RailMarketplaceCall: Decodable {
    private enum CodingKeys: String, CodingKey {
        case locationName, crs, st, et, at, isCancelled, length
    }

    let call: RailCall

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: CodingKeys.self)
        call = RailCall(
            name: row.text(.locationName), code: row.text(.crs), scheduled: row.text(.st), estimated: row.text(.et),
            actual: row.text(.at), isCancelled: row.truth(.isCancelled) ?? false, coaches: row.integer(.length))
    }
}

/// A notice: `{"Value":…}`, `{"value":…}`, or the text alone.
private struct RailMarketplaceMessage: Decodable {
    private enum CodingKeys: String, CodingKey {
        case upper = "Value"
        case lower = "value"
        case message
    }

    let text: String?

    init(from decoder: any Decoder) throws {
        if let text = try? decoder.singleValueContainer().decode(String.self) {
            self.text = text
            return
        }
        let row = try decoder.container(keyedBy: CodingKeys.self)
        text = row.text(.upper) ?? row.text(.lower) ?? row.text(.message)
    }
}

extension KeyedDecodingContainer {
    /// The truth value of a key, quoted or not; nil for anything else.
    fileprivate func truth(_ key: Key) -> Bool? {
        if let truth = try? decodeIfPresent(Bool.self, forKey: key) { return truth }
        return text(key)?.isTrue
    }
}
