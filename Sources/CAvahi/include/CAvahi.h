#pragma once
#include <avahi-client/client.h>
#include <avahi-client/lookup.h>
#include <avahi-common/error.h>
#include <avahi-common/strlst.h>
#include <avahi-common/thread-watch.h>
#include <dns_sd.h>
#include <stdbool.h>

/// Returns whether Avahi's libraries are installed. Without them, no other function of these headers may be called.
bool avahi_is_installed(void);
