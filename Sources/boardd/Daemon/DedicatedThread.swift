internal import CSystem
internal import Glibc
internal import Synchronization

/// Runs blocking work on a thread of its own, never on Swift's cooperative pool, which has one thread a core.
enum DedicatedThread {
    /// Starts a thread and returns when its work has ended.
    ///
    /// - Throws: ``ThreadError`` when the system gives no thread.
    static func run(_ name: String, _ work: @escaping @Sendable () -> Void) async throws(ThreadError) {
        do {
            try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
                let job = Job(name: name) {
                    work()
                    ended.resume()
                }
                let argument = unsafe Unmanaged.passRetained(job)
                var thread = pthread_t()
                let error = unsafe pthread_create(
                    &thread, nil,
                    { argument in
                        guard let argument = unsafe argument else { return nil }
                        let job = unsafe Unmanaged<Job>.fromOpaque(argument).takeRetainedValue()
                        unsafe pthread_setname_np(pthread_self(), job.name)
                        job.work()
                        return nil
                    }, argument.toOpaque())
                guard error == 0 else {
                    unsafe argument.release()
                    ended.resume(throwing: ThreadError(code: error))
                    return
                }
                pthread_detach(thread)
            }
        } catch {
            throw (error as? ThreadError) ?? ThreadError(code: EAGAIN)
        }
    }

    private final class Job: Sendable {
        /// At most 15 bytes reach the kernel.
        let name: String
        let work: @Sendable () -> Void

        init(name: String, work: @escaping @Sendable () -> Void) {
            self.name = String(name.prefix(15))
            self.work = work
        }
    }
}

/// The system gave no thread.
struct ThreadError: Error, CustomStringConvertible {
    /// The errno.
    let code: Int32

    var description: String { "no thread can be started (errno \(code)); is the machine out of memory?" }
}
