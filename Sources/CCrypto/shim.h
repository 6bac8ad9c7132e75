#pragma once
#include <openssl/bn.h>
#include <openssl/crypto.h>
#include <openssl/sha.h>

// BN_FLG_CONSTTIME is a macro, and BN_num_bytes a macro with an argument: neither is imported.
static inline void hap_BN_set_constant_time(BIGNUM *number) { BN_set_flags(number, BN_FLG_CONSTTIME); }
