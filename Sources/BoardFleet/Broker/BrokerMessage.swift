/// A message to or from an MQTT broker.
public struct BrokerMessage: Hashable, Sendable {
    public enum Quality: Int32, Sendable {
        /// QoS 0: at most once.
        case atMostOnce = 0
        /// QoS 1: at least once; a rejected message is reported.
        case atLeastOnce = 1
    }

    public var topic: String
    public var payload: [UInt8]
    public var quality: Quality
    /// Of a sent message: whether the broker stores it for later subscribers. Of a received one: whether it is such a copy.
    public var isRetained: Bool
    /// How long the broker delivers it; nil: without an end.
    public var expiry: Duration?

    public init(
        topic: String, payload: [UInt8], quality: Quality = .atLeastOnce, isRetained: Bool = false,
        expiry: Duration? = nil
    ) {
        self.topic = topic
        self.payload = payload
        self.quality = quality
        self.isRetained = isRetained
        self.expiry = expiry
    }
}
