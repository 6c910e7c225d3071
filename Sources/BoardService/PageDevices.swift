/// The devices that may change the board over its page.
public protocol PageDevices: Sendable {
    /// Starts a pairing, whose digits the display shows. Throws `conflict` while one of another device is open.
    ///
    /// - Parameter isLocal: whether a person on this machine starts it, who gets the code, also that of an open pairing.
    func startPairing(isLocal: Bool) async throws(ServiceError) -> PairingStarted
    /// Ends a pairing with its code; throws `notAllowed` for a wrong one, `notFound` for a pairing that expired or was declined.
    ///
    /// - Parameter name: the name of the device.
    func finishPairing(_ id: String, code: String, name: String) async throws(ServiceError) -> PairingToken
    /// The paired devices, in the order of their pairing.
    func devices() async throws(ServiceError) -> [PairedDevice]
    /// Makes the token of a device invalid. Throws `notFound` where no device has the name.
    func removeDevice(named name: String) async throws(ServiceError)
}
