// A library that is preloaded into the tests under ThreadSanitizer. Without it, ThreadSanitizer does not see how a
// contended `Mutex` of Swift's standard library orders two threads: the kernel hands over the lock (FUTEX_LOCK_PI), and
// the standard library, which requests this, is not instrumented. The two functions below wrap those of the standard
// library and notify ThreadSanitizer. They suppress no finding.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

typedef __attribute__((swiftcall)) void lock_function(uint32_t thread, __attribute__((swift_context)) void *mutex);
typedef __attribute__((swiftcall)) void unlock_function(__attribute__((swift_context)) void *mutex);
typedef void tell_function(void *address);

static void tell(const char *what, void *address) {
    tell_function *function = (tell_function *)dlsym(RTLD_DEFAULT, what);
    if (function) function(address);
}

// Synchronization._MutexHandle._lockSlow(UInt32) -> ()
__attribute__((swiftcall)) void lock_slow(uint32_t thread, __attribute__((swift_context)) void *mutex)
    __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");

__attribute__((swiftcall)) void lock_slow(uint32_t thread, __attribute__((swift_context)) void *mutex) {
    ((lock_function *)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"))(thread, mutex);
    tell("__tsan_acquire", mutex);
}

// Synchronization._MutexHandle._unlockSlow() -> ()
__attribute__((swiftcall)) void unlock_slow(__attribute__((swift_context)) void *mutex)
    __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

__attribute__((swiftcall)) void unlock_slow(__attribute__((swift_context)) void *mutex) {
    tell("__tsan_release", mutex);
    ((unlock_function *)dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"))(mutex);
}
