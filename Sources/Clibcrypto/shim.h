/* SHA-256 with its state on the caller's stack. OpenSSL 3 calls these functions deprecated in favour of EVP, which
   allocates a context for every hash: that costs more than hashing a record does. */
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
