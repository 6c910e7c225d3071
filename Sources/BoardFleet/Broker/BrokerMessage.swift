/// A message to or from an MQTT broker.
struct BrokerMessage: Hashable, Sendable {
    enum Quality: Int32, Sendable {
        /// QoS 0: at most once.
        case atMostOnce = 0
        /// QoS 1: at least once; a rejected message is reported.
        case atLeastOnce = 1
    }

    var topic: String
    var payload: [UInt8]
    var quality: Quality
    /// Of a sent message: whether the broker stores it for later subscribers. Of a received one: whether it is such a copy.
    var isRetained: Bool
    /// How long the broker delivers it; nil: without an end.
    var expiry: Duration?

    init(
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
