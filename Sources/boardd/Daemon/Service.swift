internal import ServiceLifecycle

/// A part of the daemon with a life cycle, not a vehicle's service. `ServiceLifecycle` and `BoardCore` may both be imported.
typealias Service = ServiceLifecycle.Service
