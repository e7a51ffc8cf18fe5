#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

// The part of libcurl's interface that is used, but for its errors. It is stable: no number has changed since it was
// introduced.

typedef void CURL;
typedef void CURLM;
typedef void CURLSH;
struct curl_slist;

struct curl_sockaddr {
  int family, socktype, protocol;
  unsigned addrlen;
  struct sockaddr addr;
};

typedef struct {
  int msg;
  CURL *easy;
  union {
    void *whatever;
    int result;
  } data;
} CURLMsg;

enum {
  SSL_CTRL_SET_MSG_CALLBACK_ARG = 16, CURL_GLOBAL_DEFAULT = 3, CURLMOPT_MAXCONNECTS = 6, CURL_HTTP_VERSION_1_1 = 2,
  CURLSHOPT_SHARE = 1, CURL_LOCK_DATA_SSL_SESSION = 4,
};

// clang-format off
enum {
  CURLOPT_POST = 47, CURLOPT_FOLLOWLOCATION = 52, CURLOPT_SSL_VERIFYPEER = 64, CURLOPT_HTTPGET = 80,
  CURLOPT_SSL_VERIFYHOST = 81, CURLOPT_HTTP_VERSION = 84, CURLOPT_NOSIGNAL = 99,
  CURLOPT_CONNECTTIMEOUT_MS = 156, CURLOPT_HTTP_CONTENT_DECODING = 158, CURLOPT_PROTOCOLS = 181, CURLOPT_PATH_AS_IS = 234,
  CURLOPT_SUPPRESS_CONNECT_HEADERS = 265, CURLOPT_DISALLOW_USERNAME_IN_URL = 278, CURLOPT_HTTP09_ALLOWED = 285,
  CURLOPT_MAXAGE_CONN = 288, CURLOPT_QUICK_EXIT = 322,
  CURLOPT_WRITEDATA = 10001, CURLOPT_URL = 10002, CURLOPT_PROXY = 10004,
  CURLOPT_USERAGENT = 10018, CURLOPT_HTTPHEADER = 10023, CURLOPT_HEADERDATA = 10029, CURLOPT_CUSTOMREQUEST = 10036,
  CURLOPT_CAINFO = 10065, CURLOPT_CAPATH = 10097, CURLOPT_SHARE = 10100, CURLOPT_ACCEPT_ENCODING = 10102,
  CURLOPT_SSL_CTX_DATA = 10109, CURLOPT_COPYPOSTFIELDS = 10165, CURLOPT_OPENSOCKETDATA = 10164,
  CURLOPT_PROXY_CAINFO = 10246, CURLOPT_PROXY_CAPATH = 10247, CURLOPT_PREREQDATA = 10313, CURLOPT_PROTOCOLS_STR = 10318,
  CURLOPT_WRITEFUNCTION = 20011, CURLOPT_HEADERFUNCTION = 20079, CURLOPT_SSL_CTX_FUNCTION = 20108,
  CURLOPT_OPENSOCKETFUNCTION = 20163, CURLOPT_PREREQFUNCTION = 20312,
  CURLOPT_POSTFIELDSIZE_LARGE = 30120,
};
enum {
  CURLINFO_REQUEST_SIZE = 0x200000 + 12, CURLINFO_SSL_VERIFYRESULT = 0x200000 + 13,
  CURLINFO_HTTP_CONNECTCODE = 0x200000 + 22, CURLINFO_OS_ERRNO = 0x200000 + 25,
  CURLINFO_PROXY_SSL_VERIFYRESULT = 0x200000 + 47,
  CURLINFO_TLS_SSL_PTR = 0x400000 + 45, CURLINFO_ACTIVESOCKET = 0x500000 + 44,
};
// clang-format on

/// Each function of libcurl that is called: its name behind `curl_`, what it gives, what it takes.
#define CURL_FUNCTIONS(FUNCTION) \
  FUNCTION(global_init, int, (long)) \
  FUNCTION(easy_init, CURL *, (void)) \
  FUNCTION(easy_duphandle, CURL *, (CURL *)) \
  FUNCTION(easy_cleanup, void, (CURL *)) \
  FUNCTION(easy_setopt, int, (CURL *, int, ...)) \
  FUNCTION(easy_getinfo, int, (CURL *, int, ...)) \
  FUNCTION(slist_append, struct curl_slist *, (struct curl_slist *, const char *)) \
  FUNCTION(slist_free_all, void, (struct curl_slist *)) \
  FUNCTION(share_init, CURLSH *, (void)) \
  FUNCTION(share_setopt, int, (CURLSH *, int, ...)) \
  FUNCTION(share_cleanup, int, (CURLSH *)) \
  FUNCTION(multi_init, CURLM *, (void)) \
  FUNCTION(multi_cleanup, int, (CURLM *)) \
  FUNCTION(multi_setopt, int, (CURLM *, int, ...)) \
  FUNCTION(multi_add_handle, int, (CURLM *, CURL *)) \
  FUNCTION(multi_remove_handle, int, (CURLM *, CURL *)) \
  FUNCTION(multi_perform, int, (CURLM *, int *)) \
  FUNCTION(multi_poll, int, (CURLM *, void *, unsigned, int, int *)) \
  FUNCTION(multi_wakeup, int, (CURLM *)) \
  FUNCTION(multi_info_read, CURLMsg *, (CURLM *, int *))

struct curl_functions {
#define MEMBER(name, result, parameters) result(*name) parameters;
  CURL_FUNCTIONS(MEMBER)
#undef MEMBER
};

extern struct curl_functions curl;

/// The part of OpenSSL that is used, where libcurl uses it too.
struct openssl_functions {
  int (*pending)(const void *);
  void (*set_msg_callback)(void *, void (*)(int, int, int, const void *, size_t, void *, void *));
  long (*ctrl)(void *, int, long, void *);
};

extern struct openssl_functions openssl;

/// What is seen of the TLS of a line's connection: all NULL and 0 without TLS; no layer where the library
/// is not OpenSSL.
struct tls_watch {
  /// How many layers the connection has: two behind a proxy that is spoken to over TLS.
  int layers;
  /// The innermost; it lives as long as the connection. And the one whose peer has said that nothing more comes.
  const void *session, *ended;
  /// Whether the innermost peer has asked for a certificate of ours, and then refused us for want of it.
  bool asks_certificate, misses_certificate;
};

/// Certificates are verified, by those authorities or the system's; connections are watched.
void tls_set_options(CURL *easy, const char *authorities, struct tls_watch *watch);
/// Notes the session, which libcurl tells of only while a transfer is under way.
void tls_watch_session(CURL *easy, struct tls_watch *watch);
/// Whether nothing that came is held back; false where that is not known.
bool tls_is_empty(const struct tls_watch *watch);
/// Whether the peer has not said that nothing more comes.
bool tls_was_cut(const struct tls_watch *watch);

struct buffer {
  uint8_t *bytes;
  size_t count, capacity;
};

/// What zlib works on. Its layout has been the same since 1995.
typedef struct {
  const uint8_t *next_in;
  unsigned avail_in;
  unsigned long total_in;
  uint8_t *next_out;
  unsigned avail_out;
  unsigned long total_out;
  const char *message;
  void *state, *allocate, *release, *opaque;
  int data_type;
  unsigned long checksum, reserved;
} z_stream;

/// The part of zlib that is used; libcurl brings it along, or there is none.
struct zlib_functions {
  int (*init)(z_stream *, int, const char *, int), (*inflate)(z_stream *, int), (*reset)(z_stream *),
      (*end)(z_stream *);
};

extern struct zlib_functions zlib;

/// Undoes gzip where all of it is there: libcurl takes what is cut off for whole. Gives a CURLcode.
int gunzip(struct buffer gzip, struct buffer *result, size_t most);
