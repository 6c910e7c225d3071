// Reports the contended lock and unlock of Swift's Mutex to ThreadSanitizer. Both are functions of libswiftSynchronization, which is not
// compiled with it: without the reports of this file, ThreadSanitizer sees no lock where a thread waited for it. The uncontended ones are inlined into
// instrumented code. Scripts/sanitize links this file into the program and the tests.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

// Functions of ThreadSanitizer's runtime.
void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define SELF __attribute__((swift_context)) void *handle
#define METHOD __attribute__((swiftcall))

METHOD void lock_slow(uint32_t thread, SELF) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
METHOD void lock_slow(uint32_t thread, SELF) {
    METHOD void (*original)(uint32_t, SELF) = dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
    original(thread, handle);
    __tsan_acquire(handle);
}

METHOD bool try_lock_slow(SELF) __asm__("$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
METHOD bool try_lock_slow(SELF) {
    METHOD bool (*original)(SELF) = dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF");
    bool isLocked = original(handle);
    if (isLocked) __tsan_acquire(handle);
    return isLocked;
}

METHOD void unlock_slow(SELF) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
METHOD void unlock_slow(SELF) {
    METHOD void (*original)(SELF) = dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
    __tsan_release(handle);
    original(handle);
}
