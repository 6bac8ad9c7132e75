// The functions of Avahi's libraries that this program calls. The libraries are loaded at the first call instead of at the
// start of the program: with D-Bus and systemd, which they need, they are eleven, and most commands need none of them.
#include "CAvahi.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#define DNS_SD "libdns_sd.so.1"
#define CLIENT "libavahi-client.so.3"
#define COMMON "libavahi-common.so.3"

// Each function: its library, result, name, parameters and arguments.
#define FUNCTIONS(X) \
    X(DNS_SD, DNSServiceErrorType, DNSServiceRegister, \
      (DNSServiceRef *reference, DNSServiceFlags flags, uint32_t interface, const char *name, const char *type, \
       const char *domain, const char *host, uint16_t port, uint16_t length, const void *text, \
       DNSServiceRegisterReply callback, void *context), \
      (reference, flags, interface, name, type, domain, host, port, length, text, callback, context)) \
    X(DNS_SD, DNSServiceErrorType, DNSServiceUpdateRecord, \
      (DNSServiceRef reference, DNSRecordRef record, DNSServiceFlags flags, uint16_t length, const void *data, \
       uint32_t ttl), \
      (reference, record, flags, length, data, ttl)) \
    X(DNS_SD, DNSServiceErrorType, DNSServiceProcessResult, (DNSServiceRef reference), (reference)) \
    X(DNS_SD, int, DNSServiceRefSockFD, (DNSServiceRef reference), (reference)) \
    X(DNS_SD, void, DNSServiceRefDeallocate, (DNSServiceRef reference), (reference)) \
    X(COMMON, AvahiThreadedPoll *, avahi_threaded_poll_new, (void), ()) \
    X(COMMON, void, avahi_threaded_poll_free, (AvahiThreadedPoll *poll), (poll)) \
    X(COMMON, const AvahiPoll *, avahi_threaded_poll_get, (AvahiThreadedPoll *poll), (poll)) \
    X(COMMON, int, avahi_threaded_poll_start, (AvahiThreadedPoll *poll), (poll)) \
    X(COMMON, int, avahi_threaded_poll_stop, (AvahiThreadedPoll *poll), (poll)) \
    X(COMMON, void, avahi_threaded_poll_lock, (AvahiThreadedPoll *poll), (poll)) \
    X(COMMON, void, avahi_threaded_poll_unlock, (AvahiThreadedPoll *poll), (poll)) \
    X(COMMON, size_t, avahi_string_list_serialize, (AvahiStringList *list, void *data, size_t size), \
      (list, data, size)) \
    X(COMMON, char *, avahi_address_snprint, (char *text, size_t size, const AvahiAddress *address), \
      (text, size, address)) \
    X(CLIENT, AvahiClient *, avahi_client_new, \
      (const AvahiPoll *poll, AvahiClientFlags flags, AvahiClientCallback callback, void *context, int *error), \
      (poll, flags, callback, context, error)) \
    X(CLIENT, void, avahi_client_free, (AvahiClient *client), (client)) \
    X(CLIENT, int, avahi_client_errno, (AvahiClient *client), (client)) \
    X(CLIENT, const char *, avahi_client_get_version_string, (AvahiClient *client), (client)) \
    X(CLIENT, const char *, avahi_client_get_host_name_fqdn, (AvahiClient *client), (client)) \
    X(CLIENT, AvahiServiceBrowser *, avahi_service_browser_new, \
      (AvahiClient *client, AvahiIfIndex interface, AvahiProtocol protocol, const char *type, const char *domain, \
       AvahiLookupFlags flags, AvahiServiceBrowserCallback callback, void *context), \
      (client, interface, protocol, type, domain, flags, callback, context)) \
    X(CLIENT, AvahiServiceResolver *, avahi_service_resolver_new, \
      (AvahiClient *client, AvahiIfIndex interface, AvahiProtocol protocol, const char *name, const char *type, \
       const char *domain, AvahiProtocol kind, AvahiLookupFlags flags, AvahiServiceResolverCallback callback, \
       void *context), \
      (client, interface, protocol, name, type, domain, kind, flags, callback, context)) \
    X(CLIENT, int, avahi_service_resolver_free, (AvahiServiceResolver *resolver), (resolver)) \
    X(CLIENT, AvahiHostNameResolver *, avahi_host_name_resolver_new, \
      (AvahiClient *client, AvahiIfIndex interface, AvahiProtocol protocol, const char *name, AvahiProtocol kind, \
       AvahiLookupFlags flags, AvahiHostNameResolverCallback callback, void *context), \
      (client, interface, protocol, name, kind, flags, callback, context))

#define DECLARE(library, result, name, parameters, arguments) static __typeof__(name) *loaded_##name;
FUNCTIONS(DECLARE)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_installed;

static void load(void) {
    void *handle;
#define LOAD(library, result, name, parameters, arguments) \
    handle = dlopen(library, RTLD_LAZY); \
    loaded_##name = handle ? (__typeof__(name) *)dlsym(handle, #name) : NULL; \
    if (!loaded_##name) return;
    FUNCTIONS(LOAD)
    is_installed = true;
}

bool avahi_is_installed(void) {
    pthread_once(&once, load);
    return is_installed;
}

#define FORWARD(library, result, name, parameters, arguments) \
    __attribute__((visibility("hidden"))) result name parameters { \
        if (!avahi_is_installed()) abort(); \
        return loaded_##name arguments; \
    }
FUNCTIONS(FORWARD)
