#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// libcurl, loaded when it is needed first: nothing is linked against it, and its headers are not needed to build.

/// Loads libcurl, once; gives what is missing as a sentence that lives for ever, NULL when nothing is.
const char *_Nullable curl_library_load(void);

/// A line to one origin: one transfer at a time, and a connection that is kept for the next.
///
/// Whoever holds it calls one function after the other, from any thread; `curl_line_cancel` alone may be called beside
/// them, and holds to that by an atomic. So it may be sent from thread to thread. Out of memory, the process ends.
typedef struct __attribute__((swift_attr("@Sendable"))) {
  struct curl_line_state *_Nonnull state;
} curl_line;

typedef struct {
  /// Says who asks, where a request has no `user-agent` of its own.
  const char *_Nonnull user_agent;
  /// A PEM file of authorities, trusted in place of the system's; NULL for those of the system.
  const char *_Nullable authorities;
  /// Whether the proxies that the environment names are left out.
  bool is_direct;
  /// How large a body may become, as it comes and with its encoding undone.
  size_t most_body;
  /// How large all headers may become, with those of interim answers.
  size_t most_head;
} curl_line_options;

typedef struct {
  const char *_Nonnull method;
  const char *_Nonnull url;
  const uint8_t *_Nullable body;
  size_t body_count;
  /// Whether it has a body, be it an empty one.
  bool has_body;
  /// Whether it may go out once more where a kept connection turns out to be dead before any byte of the answer.
  bool may_repeat;
  long timeout_ms;
  long connect_timeout_ms;
} curl_line_request;

// clang-format off
/// Those of libcurl's errors that are told apart, by the names that its header has for them; there are others.
typedef enum {
  CURLE_OK = 0, CURLE_UNSUPPORTED_PROTOCOL = 1, CURLE_URL_MALFORMAT = 3, CURLE_COULDNT_RESOLVE_PROXY = 5,
  CURLE_COULDNT_RESOLVE_HOST = 6, CURLE_COULDNT_CONNECT = 7, CURLE_WEIRD_SERVER_REPLY = 8, CURLE_HTTP2 = 16,
  CURLE_PARTIAL_FILE = 18, CURLE_WRITE_ERROR = 23, CURLE_OUT_OF_MEMORY = 27, CURLE_OPERATION_TIMEDOUT = 28,
  CURLE_SSL_CONNECT_ERROR = 35, CURLE_ABORTED_BY_CALLBACK = 42, CURLE_BAD_FUNCTION_ARGUMENT = 43,
  CURLE_INTERFACE_FAILED = 45,
  // Before libcurl 7.62 what is CURLE_PEER_FAILED_VERIFICATION since.
  CURLE_OBSOLETE51 = 51,
  CURLE_GOT_NOTHING = 52, CURLE_SSL_ENGINE_NOTFOUND = 53, CURLE_SSL_ENGINE_SETFAILED = 54, CURLE_SEND_ERROR = 55,
  CURLE_RECV_ERROR = 56, CURLE_SSL_CERTPROBLEM = 58, CURLE_SSL_CIPHER = 59, CURLE_PEER_FAILED_VERIFICATION = 60,
  CURLE_BAD_CONTENT_ENCODING = 61, CURLE_SSL_ENGINE_INITFAILED = 66, CURLE_LOGIN_DENIED = 67,
  CURLE_SSL_CACERT_BADFILE = 77, CURLE_SSL_ISSUER_ERROR = 83, CURLE_SSL_INVALIDCERTSTATUS = 91, CURLE_HTTP2_STREAM = 92,
  CURLE_PROXY = 97, CURLE_TOO_LARGE = 100,
} curl_code;

/// What OpenSSL says of a certificate, as far as it is told apart; another TLS library says nothing.
typedef enum {
  X509_V_OK = 0, X509_V_ERR_UNSPECIFIED = 1, X509_V_ERR_CERT_NOT_YET_VALID = 9, X509_V_ERR_CERT_HAS_EXPIRED = 10,
  X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT = 18, X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN = 19,
  X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY = 20, X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE = 21,
  X509_V_ERR_HOSTNAME_MISMATCH = 62, X509_V_ERR_IP_ADDRESS_MISMATCH = 64,
} x509_code;
// clang-format on

typedef struct {
  curl_code code;
  /// Whether a byte of the request may have gone out.
  bool was_sent;
  /// Whether it would have gone out a second time, and was held back.
  bool was_held_back;
  /// Whether the peer has not said over TLS that nothing more comes: an answer without a length is cut off then.
  bool was_cut;
  /// Whether the peer has refused the connection over TLS for want of a client's certificate.
  bool misses_certificate;
  /// `errno` of a connection that failed; 0 if it did not.
  long os_error;
  /// What the TLS library says about the peer's certificate.
  x509_code certificate_error;
  /// The same of a proxy that is spoken to over TLS; 0 unless that began and did not end well.
  x509_code proxy_certificate_error;
  /// The port that the last connection was tried to, which may be a proxy's; 0 where none was.
  int port;
  /// What the proxy answered, where it was asked for a tunnel.
  long proxy_status;
  /// All header lines as they came: of interim answers, of the final one, trailers. They live until the line
  /// forgets them, as the body does.
  const uint8_t *_Nullable head;
  size_t head_count;
  const uint8_t *_Nullable body;
  size_t body_count;
} curl_line_outcome;

curl_line curl_line_open(curl_line_options options);
void curl_line_close(curl_line line);

/// Adds a header to the transfer that is started next: `name: value`, or `name;` for an empty value.
void curl_line_add_header(curl_line line, const char *_Nonnull header);
/// Starts a transfer; what the request points to is copied.
void curl_line_start(curl_line line, curl_line_request request);
/// Works on the transfer for so long at most; true when it is over.
bool curl_line_work(curl_line line, int milliseconds);
/// Gives the transfer up: it is over at once. From any thread; without effect when it is over.
void curl_line_cancel(curl_line line);
/// Undoes gzip in the body of the transfer that is over; what is not all of it, or none, is no answer.
void curl_line_gunzip(curl_line line);
/// What came of the transfer that is over.
curl_line_outcome curl_line_result(curl_line line);
/// Wipes head and body of the transfer that is over, and gives back what is large; the next one that starts does so too.
void curl_line_forget(curl_line line);
