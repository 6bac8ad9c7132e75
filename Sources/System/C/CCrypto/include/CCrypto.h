#pragma once
#include <openssl/bn.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/md5.h>
#include <openssl/rsa.h>
#include <openssl/sha.h>
#include <openssl/x509v3.h>
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
    X(unsigned char *, SHA1, (const unsigned char *bytes, size_t count, unsigned char *digest), (bytes, count, digest)) \
    X(unsigned char *, MD5, (const unsigned char *bytes, size_t count, unsigned char *digest), (bytes, count, digest)) \
    X(EVP_PKEY_CTX *, EVP_PKEY_CTX_new_id, (int id, ENGINE *engine), (id, engine)) \
    X(void, EVP_PKEY_CTX_free, (EVP_PKEY_CTX *context), (context)) \
    X(int, EVP_PKEY_keygen_init, (EVP_PKEY_CTX *context), (context)) \
    X(int, EVP_PKEY_CTX_set_rsa_keygen_bits, (EVP_PKEY_CTX *context, int bits), (context, bits)) \
    X(int, EVP_PKEY_generate, (EVP_PKEY_CTX *context, EVP_PKEY **key), (context, key)) \
    X(void, EVP_PKEY_free, (EVP_PKEY *key), (key)) \
    X(int, EVP_PKEY_get_bits, (const EVP_PKEY *key), (key)) \
    X(EVP_PKEY *, d2i_PrivateKey, (int type, EVP_PKEY **key, const unsigned char **bytes, long count), \
      (type, key, bytes, count)) \
    X(int, i2d_PrivateKey, (const EVP_PKEY *key, unsigned char **bytes), (key, bytes)) \
    X(const EVP_MD *, EVP_sha1, (void), ()) \
    X(const EVP_MD *, EVP_sha256, (void), ()) \
    X(EVP_MD_CTX *, EVP_MD_CTX_new, (void), ()) \
    X(void, EVP_MD_CTX_free, (EVP_MD_CTX *context), (context)) \
    X(int, EVP_DigestSignInit, \
      (EVP_MD_CTX *context, EVP_PKEY_CTX **keyContext, const EVP_MD *digest, ENGINE *engine, EVP_PKEY *key), \
      (context, keyContext, digest, engine, key)) \
    X(int, EVP_DigestSign, \
      (EVP_MD_CTX *context, unsigned char *signature, size_t *size, const unsigned char *bytes, size_t count), \
      (context, signature, size, bytes, count)) \
    X(int, EVP_DigestVerifyInit, \
      (EVP_MD_CTX *context, EVP_PKEY_CTX **keyContext, const EVP_MD *digest, ENGINE *engine, EVP_PKEY *key), \
      (context, keyContext, digest, engine, key)) \
    X(int, EVP_DigestVerify, \
      (EVP_MD_CTX *context, const unsigned char *signature, size_t size, const unsigned char *bytes, size_t count), \
      (context, signature, size, bytes, count)) \
    X(EVP_PKEY *, X509_get0_pubkey, (const X509 *certificate), (certificate)) \
    X(int, X509_digest, \
      (const X509 *certificate, const EVP_MD *digest, unsigned char *bytes, unsigned int *count), \
      (certificate, digest, bytes, count)) \
    X(X509 *, X509_new, (void), ()) \
    X(void, X509_free, (X509 *certificate), (certificate)) \
    X(X509 *, d2i_X509, (X509 **certificate, const unsigned char **bytes, long count), (certificate, bytes, count)) \
    X(int, i2d_X509, (const X509 *certificate, unsigned char **bytes), (certificate, bytes)) \
    X(int, X509_set_version, (X509 *certificate, long version), (certificate, version)) \
    X(ASN1_INTEGER *, X509_get_serialNumber, (X509 *certificate), (certificate)) \
    X(int, ASN1_INTEGER_set_uint64, (ASN1_INTEGER *integer, uint64_t number), (integer, number)) \
    X(ASN1_TIME *, X509_getm_notBefore, (const X509 *certificate), (certificate)) \
    X(ASN1_TIME *, X509_getm_notAfter, (const X509 *certificate), (certificate)) \
    X(ASN1_TIME *, ASN1_TIME_set, (ASN1_TIME *target, time_t time), (target, time)) \
    X(X509_NAME *, X509_get_subject_name, (const X509 *certificate), (certificate)) \
    X(X509_NAME *, X509_get_issuer_name, (const X509 *certificate), (certificate)) \
    X(int, X509_NAME_add_entry_by_txt, \
      (X509_NAME *name, const char *field, int type, const unsigned char *bytes, int count, int place, int set), \
      (name, field, type, bytes, count, place, set)) \
    X(int, X509_set_pubkey, (X509 *certificate, EVP_PKEY *key), (certificate, key)) \
    X(X509_EXTENSION *, X509V3_EXT_conf_nid, \
      (LHASH_OF(CONF_VALUE) *configuration, X509V3_CTX *context, int id, const char *value), \
      (configuration, context, id, value)) \
    X(int, X509_add_ext, (X509 *certificate, X509_EXTENSION *extension, int place), (certificate, extension, place)) \
    X(void, X509_EXTENSION_free, (X509_EXTENSION *extension), (extension)) \
    X(int, X509_sign, (X509 *certificate, EVP_PKEY *key, const EVP_MD *digest), (certificate, key, digest)) \
    X(void, ERR_clear_error, (void), ())

#define HAP_CRYPTO_DECLARE(result, name, parameters, arguments) result hap_##name parameters;
HAP_CRYPTO_FUNCTIONS(HAP_CRYPTO_DECLARE)

// BN_FLG_CONSTTIME is a macro, which is not imported.
static inline void hap_BN_set_constant_time(BIGNUM *number) { hap_BN_set_flags(number, BN_FLG_CONSTTIME); }

/// Loads libcrypto, and returns whether that succeeded. The other functions end the process without it.
bool hap_crypto_load(void);
