internal import BoardCore

extension ListedStop.Kind {
    /// What a `stopType` of TfL is; nil for entrances, access areas, platforms of a station, taxi ranks and the rest,
    /// none of which has departures to ask for. The words are those of `/StopPoint/Meta/StopTypes`, after NaPTAN's
    /// schema.
    init?(tflStopType type: String) {
        switch type {
        case "NaptanPublicBusCoachTram", "NaptanMarkedPoint", "NaptanUnmarkedPoint", "NaptanHailAndRideSection",
            "NaptanCoachBay", "NaptanCoachVariableBay", "NaptanFerryBerth":
            self = .pole
        case "NaptanMetroStation", "NaptanRailStation", "NaptanBusCoachStation", "NaptanFerryPort",
            "NaptanLiftCableCarStop", "NaptanLiftCableCarStopArea":
            self = .station
        case "NaptanOnstreetBusCoachStopPair", "NaptanOnstreetBusCoachStopCluster":
            self = .area
        case "TransportInterchange":
            self = .interchange
        default:
            return nil
        }
    }
}
