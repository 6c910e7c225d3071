internal import ServiceLifecycle

/// A part of the daemon that runs: in this module the word means that, and never a vehicle's run (`BoardCore.Service`).
typealias Service = ServiceLifecycle.Service
