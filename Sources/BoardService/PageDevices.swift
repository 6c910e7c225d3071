public import BoardCore

/// The devices that may change the board over its page.
public protocol PageDevices: Sendable {
    /// Starts a pairing, whose digits the display shows, or joins the open one.
    ///
    /// - Parameters:
    ///   - isLocal: whether a person on this machine starts it, who gets the code, also that of an open pairing.
    ///   - client: the address of the device; nil: this machine.
    func startPairing(isLocal: Bool, from client: IPAddress?) async throws(ServiceError) -> PairingStarted
    /// A pairing for which a device still waits: one that no device requests for 30 s is over. Throws `notFound` for one that is.
    func pairing(_ id: String, from client: IPAddress?) async throws(ServiceError) -> PairingStarted
    /// Ends a pairing with its code; throws `notAllowed` for a wrong one, `notFound` for a pairing that is over.
    ///
    /// - Parameters:
    ///   - name: the name of the device.
    ///   - client: its address, whose tries are counted; nil: this machine.
    func finishPairing(
        _ id: String, code: String, name: String, from client: IPAddress?
    ) async throws(ServiceError) -> PairingToken
    /// The paired devices, in the order of their pairing.
    func devices() async throws(ServiceError) -> [PairedDevice]
    /// Makes the token of a device invalid. Throws `notFound` where no device has the name.
    func removeDevice(named name: String) async throws(ServiceError)
}
