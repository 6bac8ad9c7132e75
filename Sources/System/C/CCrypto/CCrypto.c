// libcrypto is loaded at the first call instead of at the start of the program: its 21,000 relocations take as long as those
// of all other libraries, and most commands do not need it.
#include "CCrypto.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define POINTER(result, name, parameters, arguments) static __typeof__(name) *loaded_##name;
HAP_CRYPTO_FUNCTIONS(POINTER)

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static bool is_loaded;

static bool load(void) {
    void *handle = dlopen("libcrypto.so.3", RTLD_LAZY);
#define LOAD(result, name, parameters, arguments) \
    if (!handle || !(loaded_##name = (__typeof__(name) *)dlsym(handle, #name))) return false;
    HAP_CRYPTO_FUNCTIONS(LOAD)
    return true;
}

// A failure is not kept: the process may have had no descriptor left.
bool hap_crypto_load(void) {
    if (__atomic_load_n(&is_loaded, __ATOMIC_ACQUIRE)) return true;
    pthread_mutex_lock(&mutex);
    bool succeeded = is_loaded || load();
    __atomic_store_n(&is_loaded, succeeded, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&mutex);
    return succeeded;
}

static void require(void) {
    if (hap_crypto_load()) return;
    fprintf(stderr, "hap: libcrypto.so.3 cannot be loaded; install it, on Debian with apt install libssl3.\n");
    abort();
}

#define FORWARD(result, name, parameters, arguments) \
    result hap_##name parameters { \
        require(); \
        return loaded_##name arguments; \
    }
HAP_CRYPTO_FUNCTIONS(FORWARD)
