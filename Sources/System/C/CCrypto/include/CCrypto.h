#pragma once
#include <openssl/bn.h>
#include <openssl/sha.h>
#include <stdbool.h>

// The functions of libcrypto that this program calls, each with its result, name, parameters and arguments. Their names
// here begin with hap_, so that a program that links libcrypto itself has no function twice.
#define HAP_CRYPTO_FUNCTIONS(X) \
    X(BIGNUM *, BN_new, (void), ()) \
    X(void, BN_clear_free, (BIGNUM *number), (number)) \
    X(BIGNUM *, BN_bin2bn, (const unsigned char *bytes, int count, BIGNUM *number), (bytes, count, number)) \
    X(int, BN_bn2binpad, (const BIGNUM *number, unsigned char *bytes, int count), (number, bytes, count)) \
    X(int, BN_is_zero, (const BIGNUM *number), (number)) \
    X(void, BN_set_flags, (BIGNUM *number, int flags), (number, flags)) \
    X(BIGNUM *, BN_get_rfc3526_prime_3072, (BIGNUM *number), (number)) \
    X(BN_CTX *, BN_CTX_new, (void), ()) \
    X(void, BN_CTX_free, (BN_CTX *context), (context)) \
    X(BN_MONT_CTX *, BN_MONT_CTX_new, (void), ()) \
    X(void, BN_MONT_CTX_free, (BN_MONT_CTX *montgomery), (montgomery)) \
    X(int, BN_MONT_CTX_set, (BN_MONT_CTX *montgomery, const BIGNUM *modulus, BN_CTX *context), \
      (montgomery, modulus, context)) \
    X(int, BN_add, (BIGNUM *r, const BIGNUM *a, const BIGNUM *b), (r, a, b)) \
    X(int, BN_mul, (BIGNUM *r, const BIGNUM *a, const BIGNUM *b, BN_CTX *context), (r, a, b, context)) \
    X(int, BN_nnmod, (BIGNUM *r, const BIGNUM *a, const BIGNUM *modulus, BN_CTX *context), (r, a, modulus, context)) \
    X(int, BN_mod_add_quick, (BIGNUM *r, const BIGNUM *a, const BIGNUM *b, const BIGNUM *modulus), (r, a, b, modulus)) \
    X(int, BN_mod_sub_quick, (BIGNUM *r, const BIGNUM *a, const BIGNUM *b, const BIGNUM *modulus), (r, a, b, modulus)) \
    X(int, BN_to_montgomery, (BIGNUM *r, const BIGNUM *a, BN_MONT_CTX *montgomery, BN_CTX *context), \
      (r, a, montgomery, context)) \
    X(int, BN_from_montgomery, (BIGNUM *r, const BIGNUM *a, BN_MONT_CTX *montgomery, BN_CTX *context), \
      (r, a, montgomery, context)) \
    X(int, BN_mod_mul_montgomery, \
      (BIGNUM *r, const BIGNUM *a, const BIGNUM *b, BN_MONT_CTX *montgomery, BN_CTX *context), \
      (r, a, b, montgomery, context)) \
    X(int, BN_mod_exp_mont_consttime, \
      (BIGNUM *r, const BIGNUM *base, const BIGNUM *exponent, const BIGNUM *modulus, BN_CTX *context, \
       BN_MONT_CTX *montgomery), \
      (r, base, exponent, modulus, context, montgomery)) \
    X(unsigned char *, SHA1, (const unsigned char *bytes, size_t count, unsigned char *digest), (bytes, count, digest))

#define HAP_CRYPTO_DECLARE(result, name, parameters, arguments) result hap_##name parameters;
HAP_CRYPTO_FUNCTIONS(HAP_CRYPTO_DECLARE)

// BN_FLG_CONSTTIME is a macro, which is not imported.
static inline void hap_BN_set_constant_time(BIGNUM *number) { hap_BN_set_flags(number, BN_FLG_CONSTTIME); }

/// Loads libcrypto, and returns whether that succeeded. The other functions end the process without it.
bool hap_crypto_load(void);
