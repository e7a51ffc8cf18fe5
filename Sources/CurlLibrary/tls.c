#include "CurlLibrary.h"
#include "library.h"

/// What libcurl says of the TLS of a connection; the backend 1 is OpenSSL, and those that are like it.
struct session {
  int backend;
  void *ssl;
};

static struct session session_of(CURL *easy) {
  struct session *session = NULL;
  curl.easy_getinfo(easy, CURLINFO_TLS_SSL_PTR, &session);
  return session ? *session : (struct session){0};
}

static void hear(int is_written, int version, int type, const void *bytes, size_t count, void *ssl, void *context) {
  struct tls_watch *watch = context;
  const uint8_t *message = bytes;
  (void)version;
  if (is_written || count == 0) return;
  // The handshake's `CertificateRequest`; it is answered with none.
  if (type == 22 && message[0] == 13) watch->asks_certificate = true;
  if (type != 21 || count != 2) return;
  switch (message[1]) {
    case 0: watch->ended = ssl; break;  // `close_notify`
    // `handshake_failure`, `no_certificate`, `bad_certificate`, `certificate_required`: by version and server.
    case 40: case 41: case 42: case 116: watch->misses_certificate = watch->asks_certificate; break;
    default: break;
  }
}

static int begin(CURL *easy, void *tls_context, void *context) {
  struct tls_watch *watch = context;
  if (session_of(easy).backend != 1 || !openssl.pending || !openssl.set_msg_callback || !openssl.ctrl) return CURLE_OK;
  watch->layers++;
  watch->asks_certificate = false;
  openssl.set_msg_callback(tls_context, hear);
  openssl.ctrl(tls_context, SSL_CTRL_SET_MSG_CALLBACK_ARG, 0, watch);
  return CURLE_OK;
}

void tls_set_options(CURL *easy, const char *authorities, struct tls_watch *watch) {
  curl.easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
  curl.easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
  if (authorities) {
    curl.easy_setopt(easy, CURLOPT_CAINFO, authorities);
    curl.easy_setopt(easy, CURLOPT_CAPATH, NULL);
    curl.easy_setopt(easy, CURLOPT_PROXY_CAINFO, authorities);
    curl.easy_setopt(easy, CURLOPT_PROXY_CAPATH, NULL);
  }
  curl.easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, begin);
  curl.easy_setopt(easy, CURLOPT_SSL_CTX_DATA, watch);
}

void tls_watch_session(CURL *easy, struct tls_watch *watch) { watch->session = session_of(easy).ssl; }

bool tls_is_empty(const struct tls_watch *watch) {
  return !watch->session || (watch->layers == 1 && openssl.pending(watch->session) == 0);
}

bool tls_was_cut(const struct tls_watch *watch) {
  return watch->session && watch->layers > 0 && watch->ended != watch->session;
}
