internal import BoardCore
internal import BoardFormats

extension RailBoard {
    /// Decodes a board of the Rail Data Marketplace, or of Huxley 2, which is nearly the same.
    init(marketplace body: [UInt8], withCalls: Bool) throws(JSONFault) {
        let root = try JSONDocument(body).row()
        // A response without both is something else, such as an error.
        guard root["generatedAt"] != nil || root["crs"] != nil else { throw .unexpectedStructure }
        self.init(root, withCalls: withCalls)
    }

    /// Decodes a board of either service.
    init(_ row: JSONRow, withCalls: Bool) {
        madeAt = row.time("generatedAt")
        name = row.text("locationName")
        code = row.text("crs")
        messages = row.list("nrccMessages", of: "message").limitedCompactMap { message in
            message.isString || message.row != nil ? message.text ?? message.row?.text("message") : nil
        }
        showsPlatforms = row.truth("platformAvailable") ?? true
        showsServices = row.truth("areServicesAvailable") ?? true
        let lists = [("trainServices", false), ("busServices", true), ("ferryServices", false), ("departures", false)]
        for (key, isBus) in lists {
            badRows += row.list(key, of: "service").eachRow {
                services.append(RailService($0, isBus: isBus, withCalls: withCalls))
            }
        }
    }
}

extension RailServiceDetails {
    init(marketplace body: [UInt8]) throws(JSONFault) {
        self.init(try JSONDocument(body).row())
    }

    init(_ row: JSONRow) {
        madeAt = row.time("generatedAt")
        name = row.text("locationName")
        code = row.text("crs")
        service = RailService(row, isBus: false, withCalls: true)
    }
}

extension RailService {
    fileprivate init(_ row: JSONRow, isBus: Bool, withCalls: Bool) {
        id = row.text("serviceID")
        scheduledArrival = row.text("sta")
        estimatedArrival = row.text("eta")
        actualArrival = row.text("ata")
        scheduled = row.text("std")
        estimated = row.text("etd")
        actual = row.text("atd")
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
        origins = row.rows("origin", of: "location", RailLocation.init)
        destinations = row.rows("destination", of: "location", RailLocation.init)
        currentOrigins = row.rows("currentOrigins", of: "location", RailLocation.init)
        currentDestinations = row.rows("currentDestinations", of: "location", RailLocation.init)
        guard withCalls else { return }
        previous = row.rows("previousCallingPoints", of: "callingPointList", RailCallingPointList.init)
        subsequent = row.rows("subsequentCallingPoints", of: "callingPointList", RailCallingPointList.init)
    }
}

extension RailLocation {
    fileprivate init(_ row: JSONRow) {
        self.init(name: row.text("locationName"), via: row.text("via"))
    }
}

extension RailCallingPointList {
    fileprivate init(_ row: JSONRow) {
        self.init(
            calls: row.all("callingPoint").rows(RailCallingPoint.init).good,
            isCancelled: row.truth("assocIsCancelled") ?? false)
    }
}

extension RailCallingPoint {
    fileprivate init(_ row: JSONRow) {
        self.init(
            name: row.text("locationName"), code: row.text("crs"), scheduled: row.text("st"),
            estimated: row.text("et"), actual: row.text("at"), isCancelled: row.truth("isCancelled") ?? false,
            coaches: row.integer("length"))
    }
}

extension JSONRow {
    /// The elements of a list: those of an array in JSON, the elements of this name in XML. Of any other value it is the value,
    /// which is no row.
    fileprivate func list(_ key: String, of name: String) -> [JSONValue] {
        guard let value = self[key], !value.isNull else { return [] }
        if let elements = value.elements { return Array(elements) }
        let inner = value.descendants(name)
        return inner.isEmpty && (value.row == nil || value.nonEmptyRow != nil) ? [value] : inner
    }

    fileprivate func rows<Row>(_ key: String, of name: String, _ read: (JSONRow) -> Row) -> [Row] {
        list(key, of: name).rows(read).good
    }
}
