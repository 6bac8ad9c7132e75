#pragma once
#include <openssl/bn.h>
#include <openssl/sha.h>

// BN_FLG_CONSTTIME is a macro, which is not imported.
static inline void hap_BN_set_constant_time(BIGNUM *number) { BN_set_flags(number, BN_FLG_CONSTTIME); }
