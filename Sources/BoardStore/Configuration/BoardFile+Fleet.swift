internal import BoardCore

// `[fleet]`.
extension BoardFile {
    /// - Parameter warnings: receives notes that are not faults.
    static func readFleet(_ root: inout TableReader, warnings: inout [ConfigurationFault]) -> FleetOptions {
        var fleet = root.table("fleet", name: "[fleet]")
        var options = FleetOptions()
        options.broker = fleet.value(
            "broker", ValueKind<BrokerAddress>.broker.map(Optional.some).or("", nil), default: options.broker)
        options.board = fleet.value(
            "board", ValueKind<FleetName>.fleetName.map(Optional.some).or("", nil), default: options.board)
        options.certificates = fleet.value(
            "ca", ValueKind<String>.certificates.map(Optional.some).or("", nil), default: options.certificates)
        options.patience = fleet.value(
            "patience",
            ValueKind<Duration>.duration(.zero ... .seconds(3_600)).map(FleetOptions.Patience.wait).or("never", .never),
            default: options.patience)
        options.list = fleet.value(
            "list", ValueKind<FleetName>.fleetName.map(Optional.some).or("", nil), default: options.list)
        options.homeAssistant = fleet.value("home_assistant", .boolean, default: options.homeAssistant)
        fleet.finish()
        if let broker = options.broker, !broker.isSecure, !broker.isPrivate {
            warnings.append(
                fleet.fault(
                    at: fleet.offset(of: "broker"),
                    "\(broker) is not encrypted and not in a private network: others can read the password and change what "
                        + "boards show; use mqtts://"))
        }
        return options
    }
}

extension ValueKind<BrokerAddress> {
    fileprivate static let broker = ValueKind(
        allowed: "an address such as \"mqtts://broker.example:8883\" or \"mqtt://broker:1883\""
    ) { (node) throws(ValueErrors) in
        guard case .text(let text) = node.value else { throw .notAllowed(node) }
        guard !text.contains("@") else {
            // The value may contain a password and is not repeated.
            throw .message(
                "has a user name or a password in it: put them into keys.env, as FLEET_USER and FLEET_PASSWORD",
                TOMLNode(value: .other, position: node.position, found: "an address"))
        }
        guard let broker = BrokerAddress(text) else { throw .notAllowed(node) }
        return broker
    }
}

extension ValueKind<FleetName> {
    fileprivate static let fleetName = ValueKind(
        allowed: "a name of 1 to 63 letters from a to z, digits and hyphens, such as \"kitchen\""
    ) { (node) throws(ValueErrors) in
        guard case .text(let text) = node.value, let name = FleetName(text) else { throw .notAllowed(node) }
        return name
    }
}

extension ValueKind<String> {
    fileprivate static let certificates = ValueKind(
        allowed: "the absolute path of a PEM file, such as \"/etc/boardd/ca.crt\""
    ) { (node) throws(ValueErrors) in
        guard case .text(let text) = node.value, text.hasPrefix("/"), !text.utf8.contains(0) else {
            throw .notAllowed(node)
        }
        return text
    }
}
