internal import BoardCore
internal import BoardFormats

extension RailBoard {
    /// Decodes a board of the Rail Data Marketplace, or of Huxley 2, which is nearly the same.
    ///
    /// - Parameter withCalls: whether calling points are read.
    init(marketplace body: [UInt8], withCalls: Bool) throws(JSONFault) {
        let root = try JSONDocument(body).row()
        // A response without both is something else, such as an error.
        guard root["generatedAt"] != nil || root["crs"] != nil else { throw .unexpectedStructure }
        madeAt = root.time("generatedAt")
        name = root.text("locationName")
        code = root.text("crs")
        messages = root["nrccMessages"]?.elements?.limitedCompactMap(Self.message) ?? []
        showsPlatforms = root.truth("platformAvailable") ?? true
        showsServices = root.truth("areServicesAvailable") ?? true
        for (key, isBus) in [("trainServices", false), ("busServices", true), ("ferryServices", false)] {
            guard let list = root[key], !list.isNull else { continue }
            guard let rows = list.elements else {
                badRows += 1
                continue
            }
            badRows += rows.eachRow {
                services.append(RailService(marketplace: $0, isBus: isBus, withCalls: withCalls))
            }
        }
    }

    /// A message: `{"Value":…}`, `{"value":…}`, or plain text.
    private static func message(_ value: JSONValue) -> String? {
        if value.isString { return value.text }
        let row = value.row
        return row?.text("Value") ?? row?.text("value") ?? row?.text("message")
    }
}

extension RailServiceDetails {
    /// Decodes a single service.
    init(marketplace body: [UInt8]) throws(JSONFault) {
        let row = try JSONDocument(body).row()
        madeAt = row.time("generatedAt")
        name = row.text("locationName")
        code = row.text("crs")
        service = RailService(marketplace: row, isBus: false, withCalls: true)
    }
}

extension RailService {
    fileprivate init(marketplace row: JSONRow, isBus: Bool, withCalls: Bool) {
        id = row.text("serviceID")
        scheduledArrival = row.text("sta")
        scheduled = row.text("std")
        estimated = row.text("etd")
        platform = row.text("platform")
        company = row.text("operator")
        companyCode = row.text("operatorCode")
        isCancelled = row.truth("isCancelled") ?? false
        isFilterCancelled = row.truth("filterLocationCancelled") ?? false
        // Huxley 2 has numbers: 1 is a bus.
        let type = row.text("serviceType")
        self.isBus = isBus || type == "bus" || type == "1"
        coaches = row.integer("length")
        cancelReason = row.text("cancelReason")
        delayReason = row.text("delayReason") ?? row.text("disruptionReason")
        origins = row.rows("origin", RailLocation.init(marketplace:))
        destinations = row.rows("destination", RailLocation.init(marketplace:))
        currentOrigins = row.rows("currentOrigins", RailLocation.init(marketplace:))
        currentDestinations = row.rows("currentDestinations", RailLocation.init(marketplace:))
        guard withCalls else { return }
        estimatedArrival = row.text("eta")
        actualArrival = row.text("ata")
        actual = row.text("atd")
        previous = row.rows("previousCallingPoints", RailCallingPointList.init(marketplace:))
        subsequent = row.rows("subsequentCallingPoints", RailCallingPointList.init(marketplace:))
    }
}

extension RailLocation {
    fileprivate init(marketplace row: JSONRow) {
        self.init(name: row.text("locationName"), via: row.text("via"))
    }
}

extension RailCallingPointList {
    fileprivate init(marketplace row: JSONRow) {
        self.init(
            calls: row.rows("callingPoint", RailCallingPoint.init(marketplace:)),
            isCancelled: row.truth("assocIsCancelled") ?? false)
    }
}

extension RailCallingPoint {
    fileprivate init(marketplace row: JSONRow) {
        self.init(
            name: row.text("locationName"), code: row.text("crs"), scheduled: row.text("st"),
            estimated: row.text("et"), actual: row.text("at"), isCancelled: row.truth("isCancelled") ?? false,
            coaches: row.integer("length"))
    }
}
