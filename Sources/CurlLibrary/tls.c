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
  (void)version;
  // The alert `close_notify`.
  if (!is_written && type == 21 && count == 2 && ((const uint8_t *)bytes)[1] == 0) watch->ended = ssl;
}

static int begin(CURL *easy, void *tls_context, void *context) {
  struct tls_watch *watch = context;
  if (session_of(easy).backend != 1 || !openssl.pending || !openssl.set_msg_callback || !openssl.ctrl) return CURLE_OK;
  watch->layers++;
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
