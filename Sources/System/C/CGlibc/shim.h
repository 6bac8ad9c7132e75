// Functions of glibc that Swift's module Glibc does not have.

// Of malloc_trim, which returns freed memory to the system.
#include <malloc.h>
#include <sys/syscall.h>
#include <unistd.h>

// The value of AT_FDCWD: paths are relative to the current folder. Its header would define types of Glibc again.
enum { hap_current_folder = -100 };

// Exchanges two files; returns 0, or -1 with the reason in errno.
static inline int hap_rename_exchange(const char *first, const char *second) {
    return (int)syscall(SYS_renameat2, hap_current_folder, first, hap_current_folder, second, 2 /* RENAME_EXCHANGE */);
}

// Renames a file unless the new path is taken; returns 0, or -1 with the reason in errno.
static inline int hap_rename_no_replace(const char *path, const char *target) {
    return (int)syscall(SYS_renameat2, hap_current_folder, path, hap_current_folder, target, 1 /* RENAME_NOREPLACE */);
}
