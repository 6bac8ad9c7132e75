#pragma once
#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-common/error.h>
#include <avahi-common/strlst.h>
#include <avahi-common/thread-watch.h>
#include <dns_sd.h>
#include <stdbool.h>

#define HAP_DNS_SD "libdns_sd.so.1"
#define HAP_AVAHI_CLIENT "libavahi-client.so.3"
#define HAP_AVAHI_COMMON "libavahi-common.so.3"

// The functions of Avahi's libraries that this program calls, each with its library, result, name, parameters and
// arguments. Their names here begin with hap_, so that a program that links the libraries itself has no function twice.
#define HAP_AVAHI_FUNCTIONS(X) \
    X(HAP_DNS_SD, DNSServiceErrorType, DNSServiceRegister, \
      (DNSServiceRef *reference, DNSServiceFlags flags, uint32_t interface, const char *name, const char *type, \
       const char *domain, const char *host, uint16_t port, uint16_t length, const void *text, \
       DNSServiceRegisterReply callback, void *context), \
      (reference, flags, interface, name, type, domain, host, port, length, text, callback, context)) \
    X(HAP_DNS_SD, DNSServiceErrorType, DNSServiceUpdateRecord, \
      (DNSServiceRef reference, DNSRecordRef record, DNSServiceFlags flags, uint16_t length, const void *data, \
       uint32_t ttl), \
      (reference, record, flags, length, data, ttl)) \
    X(HAP_DNS_SD, DNSServiceErrorType, DNSServiceProcessResult, (DNSServiceRef reference), (reference)) \
    X(HAP_DNS_SD, int, DNSServiceRefSockFD, (DNSServiceRef reference), (reference)) \
    X(HAP_DNS_SD, void, DNSServiceRefDeallocate, (DNSServiceRef reference), (reference)) \
    X(HAP_AVAHI_COMMON, AvahiThreadedPoll *, avahi_threaded_poll_new, (void), ()) \
    X(HAP_AVAHI_COMMON, void, avahi_threaded_poll_free, (AvahiThreadedPoll *poll), (poll)) \
    X(HAP_AVAHI_COMMON, const AvahiPoll *, avahi_threaded_poll_get, (AvahiThreadedPoll *poll), (poll)) \
    X(HAP_AVAHI_COMMON, int, avahi_threaded_poll_start, (AvahiThreadedPoll *poll), (poll)) \
    X(HAP_AVAHI_COMMON, int, avahi_threaded_poll_stop, (AvahiThreadedPoll *poll), (poll)) \
    X(HAP_AVAHI_COMMON, void, avahi_threaded_poll_lock, (AvahiThreadedPoll *poll), (poll)) \
    X(HAP_AVAHI_COMMON, void, avahi_threaded_poll_unlock, (AvahiThreadedPoll *poll), (poll)) \
    X(HAP_AVAHI_COMMON, size_t, avahi_string_list_serialize, (AvahiStringList *list, void *data, size_t size), \
      (list, data, size)) \
    X(HAP_AVAHI_COMMON, char *, avahi_address_snprint, (char *text, size_t size, const AvahiAddress *address), \
      (text, size, address)) \
    X(HAP_AVAHI_CLIENT, AvahiClient *, avahi_client_new, \
      (const AvahiPoll *poll, AvahiClientFlags flags, AvahiClientCallback callback, void *context, int *error), \
      (poll, flags, callback, context, error)) \
    X(HAP_AVAHI_CLIENT, void, avahi_client_free, (AvahiClient *client), (client)) \
    X(HAP_AVAHI_CLIENT, int, avahi_client_errno, (AvahiClient *client), (client)) \
    X(HAP_AVAHI_CLIENT, const char *, avahi_client_get_version_string, (AvahiClient *client), (client)) \
    X(HAP_AVAHI_CLIENT, const char *, avahi_client_get_host_name_fqdn, (AvahiClient *client), (client)) \
    X(HAP_AVAHI_CLIENT, AvahiServiceBrowser *, avahi_service_browser_new, \
      (AvahiClient *client, AvahiIfIndex interface, AvahiProtocol protocol, const char *type, const char *domain, \
       AvahiLookupFlags flags, AvahiServiceBrowserCallback callback, void *context), \
      (client, interface, protocol, type, domain, flags, callback, context)) \
    X(HAP_AVAHI_CLIENT, AvahiServiceResolver *, avahi_service_resolver_new, \
      (AvahiClient *client, AvahiIfIndex interface, AvahiProtocol protocol, const char *name, const char *type, \
       const char *domain, AvahiProtocol kind, AvahiLookupFlags flags, AvahiServiceResolverCallback callback, \
       void *context), \
      (client, interface, protocol, name, type, domain, kind, flags, callback, context)) \
    X(HAP_AVAHI_CLIENT, int, avahi_service_resolver_free, (AvahiServiceResolver *resolver), (resolver)) \
    X(HAP_AVAHI_CLIENT, AvahiHostNameResolver *, avahi_host_name_resolver_new, \
      (AvahiClient *client, AvahiIfIndex interface, AvahiProtocol protocol, const char *name, AvahiProtocol kind, \
       AvahiLookupFlags flags, AvahiHostNameResolverCallback callback, void *context), \
      (client, interface, protocol, name, kind, flags, callback, context))

#define HAP_AVAHI_DECLARE(library, result, name, parameters, arguments) result hap_##name parameters;
HAP_AVAHI_FUNCTIONS(HAP_AVAHI_DECLARE)

/// Loads Avahi's libraries, and returns whether that succeeded. Without them, the other functions must not be called.
bool hap_avahi_load(void);
