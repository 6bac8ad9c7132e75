// A library that is preloaded into a server. It makes calls fail that change the files of the server's store. It also
// records the order in which the server writes, syncs and truncates these files, and sends to its controllers. The test
// controls it through a shared file.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { WRITE = 'w', SYNC = 's', CUT = 'c', SEND = '>' };

// DiskFaultInjector.swift has the same layout.
struct control {
    _Atomic int countdown;  // calls until the one that fails: 1 is the next, 0 is none
    _Atomic int remaining;  // the number of calls that fail from then on
    _Atomic int error;      // the errno of these calls
    _Atomic int isShort;    // the first call writes half of its bytes instead of failing
    _Atomic int failed;     // the number of calls that have failed
    _Atomic int traced;     // the length of the trace; negative if tracing is off
    char trace[65536];
};

static struct control *control;

__attribute__((constructor)) static void attach(void) {
    const char *path = getenv("HAP_FAULTS");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *memory = mmap(NULL, sizeof *control, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory != MAP_FAILED) control = memory;
}

static void trace(char what) {
    if (!control || atomic_load(&control->traced) < 0) return;
    int position = atomic_fetch_add(&control->traced, 1);
    if (position >= 0 && position < (int)sizeof control->trace) control->trace[position] = what;
}

static int is_store(int file) {
    char link[64] = "/proc/self/fd/", target[4096];
    char *end = link + strlen(link), digits[12];
    int count = 0;
    if (file < 0) return 0;
    do digits[count++] = '0' + file % 10; while (file /= 10);
    while (count) *end++ = digits[--count];
    *end = 0;
    ssize_t length = readlink(link, target, sizeof target - 1);
    if (length < 0) return 0;
    target[length] = 0;
    return strstr(target, "/hap.sqlite") != NULL;
}

static int is_socket(int file) {
    struct stat status;
    return fstat(file, &status) == 0 && S_ISSOCK(status.st_mode);
}

// Returns whether this call fails; sets `half` if the call must write half of its bytes instead.
static int fails(int *half) {
    *half = 0;
    if (!control || atomic_load(&control->countdown) == 0) return 0;
    if (atomic_fetch_sub(&control->countdown, 1) > 1) return 0;
    if (atomic_fetch_sub(&control->remaining, 1) <= 0) {
        atomic_store(&control->countdown, 0);
        return 0;
    }
    // The next call fails, too, if any remain.
    atomic_store(&control->countdown, 1);
    if (atomic_fetch_add(&control->failed, 1) == 0 && atomic_load(&control->isShort)) {
        *half = 1;
        return 0;
    }
    errno = atomic_load(&control->error);
    return 1;
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

#define POSITIONED(name, offset_type)                                                            \
    ssize_t name(int file, const void *bytes, size_t count, offset_type offset) {                \
        static __typeof__(&name) real;                                                           \
        int half = 0;                                                                            \
        if (!real) real = REAL(name);                                                            \
        if (!control || !is_store(file)) return real(file, bytes, count, offset);                \
        trace(WRITE);                                                                            \
        if (fails(&half)) return -1;                                                             \
        return real(file, bytes, half && count > 1 ? count / 2 : count, offset);                 \
    }

POSITIONED(pwrite, off_t)
POSITIONED(pwrite64, off64_t)

ssize_t write(int file, const void *bytes, size_t count) {
    static __typeof__(&write) real;
    int half = 0;
    if (!real) real = REAL(write);
    if (control && is_socket(file)) {
        trace(SEND);
    } else if (control && is_store(file)) {
        trace(WRITE);
        if (fails(&half)) return -1;
        if (half && count > 1) count /= 2;
    }
    return real(file, bytes, count);
}

#define SYNCING(name)                                                                            \
    int name(int file) {                                                                         \
        static __typeof__(&name) real;                                                           \
        int half = 0;                                                                            \
        if (!real) real = REAL(name);                                                            \
        if (!control || !is_store(file)) return real(file);                                      \
        if (fails(&half) || half) return errno = EIO, -1;                                        \
        int result = real(file);                                                                 \
        trace(SYNC);                                                                             \
        return result;                                                                           \
    }

SYNCING(fsync)
SYNCING(fdatasync)

#define CUTTING(name, length_type)                                                               \
    int name(int file, length_type length) {                                                     \
        static __typeof__(&name) real;                                                           \
        int half = 0;                                                                            \
        if (!real) real = REAL(name);                                                            \
        if (!control || !is_store(file)) return real(file, length);                              \
        trace(CUT);                                                                              \
        if (fails(&half) || half) return errno = EIO, -1;                                        \
        return real(file, length);                                                               \
    }

CUTTING(ftruncate, off_t)
CUTTING(ftruncate64, off64_t)

ssize_t writev(int file, const struct iovec *parts, int count) {
    static __typeof__(&writev) real;
    if (!real) real = REAL(writev);
    if (control && is_socket(file)) trace(SEND);
    return real(file, parts, count);
}

ssize_t send(int file, const void *bytes, size_t count, int flags) {
    static __typeof__(&send) real;
    if (!real) real = REAL(send);
    trace(SEND);
    return real(file, bytes, count, flags);
}

ssize_t sendto(int f, const void *bytes, size_t count, int flags, const struct sockaddr *to, socklen_t size) {
    static __typeof__(&sendto) real;
    if (!real) real = REAL(sendto);
    trace(SEND);
    return real(f, bytes, count, flags, to, size);
}

ssize_t sendmsg(int file, const struct msghdr *message, int flags) {
    static __typeof__(&sendmsg) real;
    if (!real) real = REAL(sendmsg);
    trace(SEND);
    return real(file, message, flags);
}
