// Avahi's libraries are loaded at the first call instead of at the start of the program: with D-Bus and systemd, which they
// need, they are eleven, and most commands need none of them.
#include "CAvahi.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#define POINTER(library, result, name, parameters, arguments) static __typeof__(name) *loaded_##name;
HAP_AVAHI_FUNCTIONS(POINTER)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool is_loaded;

static bool load(void) {
    void *handle;
#define LOAD(library, result, name, parameters, arguments) \
    handle = dlopen(library, RTLD_LAZY); \
    if (!handle || !(loaded_##name = (__typeof__(name) *)dlsym(handle, #name))) return false;
    HAP_AVAHI_FUNCTIONS(LOAD)
    return true;
}

// A failure is not kept: the libraries may be installed later, or the process may have had no descriptor left.
bool hap_avahi_load(void) {
    if (__atomic_load_n(&is_loaded, __ATOMIC_ACQUIRE)) return true;
    pthread_mutex_lock(&mutex);
    bool succeeded = is_loaded || load();
    __atomic_store_n(&is_loaded, succeeded, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&mutex);
    return succeeded;
}

#define FORWARD(library, result, name, parameters, arguments) \
    result hap_##name parameters { \
        if (!hap_avahi_load()) abort(); \
        return loaded_##name arguments; \
    }
HAP_AVAHI_FUNCTIONS(FORWARD)
