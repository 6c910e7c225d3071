internal import ServiceLifecycle

/// In this program a service is a part of it that runs; the run of a vehicle is BoardCore's.
typealias Service = ServiceLifecycle.Service
