// A library that is preloaded into the tests under AddressSanitizer. A server's event loop may release the server a few
// milliseconds after the test has ended. If the process exits before that, LeakSanitizer reports a leak, because it does
// not find pointers in the spare bits of enums. So the test program sleeps for a second before it exits. The programs
// that it starts do not.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((noreturn)) void exit(int status) {
    const char *extension = strrchr(program_invocation_short_name, '.');
    if (extension && strcmp(extension, ".xctest") == 0) sleep(1);
    void (*real_exit)(int) = (void (*)(int))dlsym(RTLD_NEXT, "exit");
    real_exit(status);
    __builtin_unreachable();
}
