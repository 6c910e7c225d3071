import BoardCore
import BoardStore
import CMosquitto
import Glibc

/// A libmosquitto handle, for any thread after `mosquitto_threaded_set` (mosquitto.h, "Threads").
@safe
struct BrokerHandle: @unchecked Sendable {
    /// Initialises the library, once.
    private static let isInitialised: Bool = mosquitto_lib_init() == MOSQ_ERR_SUCCESS.rawValue

    /// In milliseconds, while waiting for the connection to end.
    private static let endSleep: Int32 = 50

    private let handle: OpaquePointer

    init(_ settings: BrokerSettings, will: BrokerMessage) throws(BrokerError) {
        guard Self.isInitialised, let handle = unsafe mosquitto_new(settings.client, true, nil) else {
            throw BrokerError(.lost, "libmosquitto cannot start: check free memory")
        }
        unsafe self.handle = handle
        let code = unsafe Self.configure(handle, settings, will)
        guard code == MOSQ_ERR_SUCCESS.rawValue else {
            unsafe mosquitto_destroy(handle)
            throw BrokerError(
                .certificate, "[fleet]: \(Self.text(ofError: code)); check that ca names a readable PEM file")
        }
    }

    func destroy() { unsafe mosquitto_destroy(handle) }

    private static func configure(_ handle: OpaquePointer, _ settings: BrokerSettings, _ will: BrokerMessage) -> Int32 {
        // Without it, a message from another thread would be sent only at the next keepalive.
        var code = unsafe mosquitto_threaded_set(handle, true)
        if code == 0 { code = unsafe mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5) }
        if code == 0 { code = unsafe mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1) }
        if code == 0, let user = settings.user {
            code = unsafe mosquitto_username_pw_set(handle, user, settings.password?.revealed)
        }
        if code == 0, settings.broker.isSecure {
            code =
                if let certificates = settings.certificates {
                    unsafe mosquitto_tls_set(handle, certificates, nil, nil, nil, nil)
                } else {
                    unsafe mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1)
                }
        }
        if code == 0 {
            code = unsafe mosquitto_will_set_v5(
                handle, will.topic, Int32(will.payload.count), will.payload, will.quality.rawValue, will.isRetained, nil
            )
        }
        return code
    }

    /// Connects and reads until the connection ends; blocks. Returns libmosquitto's code.
    ///
    /// - Parameter mayEnd: whether to end the connection now; nil: its end was not requested.
    func run(
        _ session: BrokerSession, host: String, port: Int32, keepalive: Int32, maximumPacketSize: UInt32, sleep: Int32,
        mayEnd: () -> Bool?
    ) -> Int32 {
        unsafe mosquitto_user_data_set(handle, Unmanaged.passUnretained(session).toOpaque())
        setCallbacks()
        // The handle does not outlive the session.
        return withExtendedLifetime(session) {
            var properties: OpaquePointer?
            unsafe mosquitto_property_add_int32(&properties, MQTT_PROP_MAXIMUM_PACKET_SIZE.number, maximumPacketSize)
            defer { unsafe mosquitto_property_free_all(&properties) }
            var code = unsafe mosquitto_connect_bind_v5(handle, host, port, keepalive, nil, properties)
            var hasEnded = false
            while code == 0 {
                let end = mayEnd()
                if end == true, !hasEnded {
                    hasEnded = true
                    unsafe mosquitto_disconnect_v5(handle, 0, nil)
                }
                code = unsafe mosquitto_loop(handle, end == nil ? sleep : Self.endSleep, 1)
            }
            return code
        }
    }

    func publish(_ message: BrokerMessage, _ identifier: inout Int32) -> Bool {
        var properties: OpaquePointer?
        defer { unsafe mosquitto_property_free_all(&properties) }
        if let expiry = message.expiry {
            let seconds = UInt32(clamping: Int64((expiry / .seconds(1)).rounded(.up)))
            unsafe mosquitto_property_add_int32(&properties, MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.number, max(1, seconds))
        }
        if !message.payload.isEmpty {
            unsafe mosquitto_property_add_string(&properties, MQTT_PROP_CONTENT_TYPE.number, "application/json")
        }
        return unsafe mosquitto_publish_v5(
            handle, &identifier, message.topic, Int32(message.payload.count), message.payload, message.quality.rawValue,
            message.isRetained, properties) == 0
    }

    /// Subscribes to a filter, without this connection's own messages.
    func subscribe(_ filter: String, _ quality: BrokerMessage.Quality, _ identifier: inout Int32) -> Bool {
        unsafe mosquitto_subscribe_v5(
            handle, &identifier, filter, quality.rawValue, Int32(MQTT_SUB_OPT_NO_LOCAL.rawValue), nil) == 0
    }

    func unsubscribe(_ filter: String, _ identifier: inout Int32) -> Bool {
        unsafe mosquitto_unsubscribe_v5(handle, &identifier, filter, nil) == 0
    }

    /// Ends the sleep of ``run(_:host:port:keepalive:maximumPacketSize:sleep:mayEnd:)``.
    func wake() {
        // QoS 0, so that nothing comes back: closing a socket with unread bytes resets it, and DISCONNECT is lost.
        unsafe mosquitto_publish_v5(handle, nil, "boardd/1/wake", 0, nil, 0, false, nil)
    }

    static func text(ofError code: Int32) -> String {
        guard code != MOSQ_ERR_ERRNO.rawValue else { return unsafe String(cString: strerror(errno)) }
        return unsafe String(cString: mosquitto_strerror(code))
    }

    static func text(ofReason code: Int32) -> String {
        unsafe String(cString: mosquitto_reason_string(code))
    }

    private func setCallbacks() {
        unsafe mosquitto_connect_v5_callback_set(handle) { @Sendable _, context, reason, _, _ in
            guard let session = unsafe session(context) else { return }
            session.note { facts in (facts.reason, facts.hasConnected) = (reason, reason == 0) }
            if reason == 0 { session.report(.connected) }
        }
        unsafe mosquitto_disconnect_v5_callback_set(handle) { @Sendable _, context, reason, _ in
            // The broker's reason codes begin at 128; smaller numbers are libmosquitto's own.
            guard reason >= 128, let session = unsafe session(context) else { return }
            session.note { $0.reason = reason }
        }
        unsafe mosquitto_publish_v5_callback_set(handle) { @Sendable _, context, identifier, reason, _ in
            unsafe session(context)?.report(.acknowledged(identifier, isRejected: reason >= 128))
        }
        unsafe mosquitto_subscribe_v5_callback_set(handle) { @Sendable _, context, identifier, count, granted, _ in
            guard count > 0, let first = unsafe granted?.pointee else { return }
            unsafe session(context)?.report(.acknowledged(identifier, isRejected: first >= 128))
        }
        unsafe mosquitto_message_v5_callback_set(handle) { @Sendable _, context, message, _ in
            guard let session = unsafe session(context), let message = unsafe message?.pointee,
                let topic = unsafe message.topic
            else { return }
            let bytes = unsafe UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
            unsafe session.report(
                .received(
                    BrokerMessage(
                        topic: String(cString: topic), payload: Array(bytes),
                        quality: message.qos > 0 ? .atLeastOnce : .atMostOnce, isRetained: message.retain)))
        }
        unsafe mosquitto_log_callback_set(handle) { @Sendable _, context, level, text in
            guard level == MOSQ_LOG_ERR, let text = unsafe text else { return }
            let error = unsafe String(cString: text)
            unsafe session(context)?.note { $0.error = error }
        }
    }
}

private func session(_ context: UnsafeMutableRawPointer?) -> BrokerSession? {
    unsafe context.map { unsafe Unmanaged<BrokerSession>.fromOpaque($0).takeUnretainedValue() }
}

extension mqtt5_property {
    fileprivate var number: Int32 { Int32(bitPattern: rawValue) }
}
