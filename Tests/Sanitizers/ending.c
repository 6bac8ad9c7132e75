// A library that is preloaded into the tests under AddressSanitizer. A test is over as soon as its server has stopped,
// and the server's event loop may release the server some milliseconds later. If the process ends in between,
// LeakSanitizer reports arrays in enums that still exist, because the enum stores its case in spare bits of their
// pointers. So the tests wait a second before they exit. The programs that tests start do not wait.
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
