#include "CurlLibrary.h"
#include "library.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct curl_line_state {
  CURLM *multi;
  /// Has the options that every transfer has. Each goes over a copy: what libcurl keeps of the last one is no part of
  /// the next, as the place of its last header, which is none any more (7.83 to 8.1 read and write there).
  CURL *original;
  /// That of the last transfer, which tells what came of it; NULL before the first. The connection is not its own.
  CURL *easy;
  /// The TLS sessions, with which the next connection begins sooner.
  CURLSH *sessions;
  struct curl_slist *headers;
  struct buffer head, body;
  size_t most_head, most_body;
  /// How often the request was about to go out, where this libcurl tells.
  int starts;
  /// The port that the last connection was tried to, 0 for none.
  int port;
  bool tells_starts, may_repeat;
  /// When it is given up, by `now_ms`.
  int64_t due;
  int code;
  /// Whether the next transfer may go over the connection of the last; whether TLS has not said that it ended.
  bool is_good, was_cut;
  /// That connection, where nothing may come between two answers; -1 where something may.
  int kept;
  struct tls_watch tls;
  /// Set behind all else that comes of a transfer: whoever has seen it may read that.
  atomic_bool is_over;
  atomic_bool is_cancelled;
};

static void *needed(void *memory) {
  if (!memory) abort();
  return memory;
}

/// Takes bytes of the answer, up to a limit: what it gives tells libcurl whether it took them.
static size_t take(struct buffer *buffer, const char *bytes, size_t count, size_t most) {
  if (!count || count > most - buffer->count) return 0;
  if (buffer->count + count > buffer->capacity) {
    buffer->capacity = buffer->capacity * 2 + count;
    buffer->bytes = needed(realloc(buffer->bytes, buffer->capacity));
  }
  memcpy(buffer->bytes + buffer->count, bytes, count);
  buffer->count += count;
  return count;
}

static size_t take_head(const char *bytes, size_t size, size_t count, void *context) {
  struct curl_line_state *line = context;
  tls_watch_session(line->easy, &line->tls);
  return take(&line->head, bytes, size * count, line->most_head);
}

static size_t take_body(const char *bytes, size_t size, size_t count, void *context) {
  struct curl_line_state *line = context;
  return take(&line->body, bytes, size * count, line->most_body);
}

/// Keeps room for the next answer, if it is no unusual one.
static void empty(struct buffer *buffer) {
  buffer->count = 0;
  if (buffer->capacity <= 1 << 16) return;
  free(buffer->bytes);
  *buffer = (struct buffer){0};
}

/// libcurl sends a request once more by itself where a kept connection turns out to be dead. What must not go out twice
/// is held back here: this is called each time before a request goes out.
static int before_request(void *context, char *peer, char *local, int peer_port, int local_port) {
  struct curl_line_state *line = context;
  (void)peer, (void)local, (void)peer_port, (void)local_port;
  return line->starts++ > 0 && !line->may_repeat;
}

/// Notes the port that is connected to, which may be a proxy's. What the process starts, a browser perhaps, shall not hold
/// the connection open.
static int open_socket(void *context, int purpose, struct curl_sockaddr *address) {
  struct curl_line_state *line = context;
  (void)purpose;
  line->tls.layers = 0;
  // It stands at the same place for IPv6.
  line->port = ntohs(((struct sockaddr_in *)&address->addr)->sin_port);
  int opened = socket(address->family, address->socktype, address->protocol);
  if (opened >= 0) fcntl(opened, F_SETFD, FD_CLOEXEC);
  return opened;
}

static void set_options(struct curl_line_state *line, curl_line_options options) {
  CURL *easy = line->original;
  curl.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
  curl.easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
  if (curl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https") != CURLE_OK)
    curl.easy_setopt(easy, CURLOPT_PROTOCOLS, 3L);
  // Of HTTP/2 libcurl reads frames as long as they come, and does not look at the time: a peer could hold it for good.
  curl.easy_setopt(easy, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  curl.easy_setopt(easy, CURLOPT_HTTP09_ALLOWED, 0L);
  curl.easy_setopt(easy, CURLOPT_DISALLOW_USERNAME_IN_URL, 1L);
  curl.easy_setopt(easy, CURLOPT_PATH_AS_IS, 1L);
  curl.easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, zlib.init ? "gzip" : "identity");
  curl.easy_setopt(easy, CURLOPT_HTTP_CONTENT_DECODING, 0L);
  curl.easy_setopt(easy, CURLOPT_USERAGENT, options.user_agent);
  tls_set_options(easy, options.authorities, &line->tls);
  if (options.is_direct) curl.easy_setopt(easy, CURLOPT_PROXY, "");
  curl.easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
  // A name that is being looked up does not keep a transfer that is given up.
  curl.easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
  curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, take_body);
  curl.easy_setopt(easy, CURLOPT_WRITEDATA, line);
  curl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_head);
  curl.easy_setopt(easy, CURLOPT_HEADERDATA, line);
  curl.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
  curl.easy_setopt(easy, CURLOPT_OPENSOCKETDATA, line);
  curl.easy_setopt(easy, CURLOPT_PREREQDATA, line);
  line->tells_starts = curl.easy_setopt(easy, CURLOPT_PREREQFUNCTION, before_request) == CURLE_OK;
}

curl_line curl_line_open(curl_line_options options) {
  struct curl_line_state *line = needed(calloc(1, sizeof *line));
  line->most_head = options.most_head;
  line->most_body = options.most_body;
  line->original = needed(curl.easy_init());
  line->sessions = needed(curl.share_init());
  curl.share_setopt(line->sessions, CURLSHOPT_SHARE, CURL_LOCK_DATA_SSL_SESSION);
  atomic_store(&line->is_over, true);
  set_options(line, options);
  return (curl_line){line};
}

/// A connection is kept where what comes behind the answer either does no harm, or will be seen.
static void look_at_connection(struct curl_line_state *line) {
  line->was_cut = tls_was_cut(&line->tls);
  curl.easy_getinfo(line->easy, CURLINFO_ACTIVESOCKET, &line->kept);
  line->is_good = line->kept >= 0 && tls_is_empty(&line->tls);
}

static void finish(struct curl_line_state *line, int code) {
  line->is_good = line->was_cut = false;
  line->kept = -1;
  if (code == CURLE_OK) look_at_connection(line);
  curl.multi_remove_handle(line->multi, line->easy);
  if (line->easy) curl.easy_setopt(line->easy, CURLOPT_HTTPHEADER, NULL);
  curl.slist_free_all(line->headers);
  line->headers = NULL;
  line->code = code;
  atomic_store(&line->is_over, true);
}

void curl_line_close(curl_line handle) {
  struct curl_line_state *line = handle.state;
  finish(line, CURLE_ABORTED_BY_CALLBACK);
  curl.easy_cleanup(line->easy);
  curl.easy_cleanup(line->original);
  curl.multi_cleanup(line->multi);
  curl.share_cleanup(line->sessions);
  free(line->head.bytes);
  free(line->body.bytes);
  free(line);
}

void curl_line_add_header(curl_line line, const char *header) {
  line.state->headers = needed(curl.slist_append(line.state->headers, header));
}

/// Closes the connection of the last transfer where it is not as it was left, or where what must not go out twice could
/// not be held back. What is merely passed over (`CURLOPT_FRESH_CONNECT`) stays with libcurl, which would use it later.
static void prepare_connection(struct curl_line_state *line) {
  struct pollfd kept = {.fd = line->kept, .events = POLLIN};
  // What came since the last answer belongs to no request: not every libcurl leaves such a connection alone.
  if (line->is_good && (line->may_repeat || line->tells_starts) && poll(&kept, 1, 0) == 0) return;
  curl.multi_cleanup(line->multi);
  line->multi = needed(curl.multi_init());
  curl.multi_setopt(line->multi, CURLMOPT_MAXCONNECTS, 1L);
}

static int64_t now_ms(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/// So that no token stays in what is kept for the next answer, nor in what the system gives to others.
static void wipe(struct buffer *buffer) {
  if (buffer->bytes) memset(buffer->bytes, 0, buffer->count);
  // What is freed afterwards is written to all the same.
  __asm__ volatile("" : : "r"(buffer->bytes) : "memory");
  empty(buffer);
}

void curl_line_forget(curl_line handle) {
  wipe(&handle.state->head);
  wipe(&handle.state->body);
}

void curl_line_start(curl_line handle, curl_line_request request) {
  struct curl_line_state *line = handle.state;
  curl.easy_cleanup(line->easy);
  CURL *easy = line->easy = needed(curl.easy_duphandle(line->original));
  curl.easy_setopt(easy, CURLOPT_SHARE, line->sessions);
  curl_line_forget(handle);
  line->starts = line->port = 0;
  line->tls.session = line->tls.ended = NULL;
  line->tls.misses_certificate = false;
  line->may_repeat = request.may_repeat;
  atomic_store(&line->is_over, false);
  atomic_store(&line->is_cancelled, false);

  if (request.has_body) {
    // Not what libcurl would add by itself: a wait for "100 Continue", a type that nobody gave.
    curl_line_add_header(handle, "Expect:");
    curl_line_add_header(handle, "Content-Type:");
  }
  curl.easy_setopt(easy, CURLOPT_HTTPHEADER, line->headers);
  curl.easy_setopt(easy, CURLOPT_URL, request.url);
  if (request.has_body) {
    curl.easy_setopt(easy, CURLOPT_POST, 1L);
    curl.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (int64_t)request.body_count);
    curl.easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, request.body_count ? (const char *)request.body : "");
  } else {
    curl.easy_setopt(easy, CURLOPT_HTTPGET, 1L);
  }
  curl.easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request.method);
  curl.easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, request.connect_timeout_ms);
  // Servers close what is idle, some after two seconds: what cannot be repeated does not go out on such a connection.
  curl.easy_setopt(easy, CURLOPT_MAXAGE_CONN, request.may_repeat ? 60L : 1L);
  prepare_connection(line);
  curl.multi_add_handle(line->multi, easy);
  // Never early, as `now_ms` leaves a part out: who waits would hear of it before its own time is over.
  line->due = now_ms() + 1 + request.timeout_ms;
}

/// Waits until something comes, for no longer than this. Who comes back more than a second late was suspended: what has
/// come meanwhile is there to be read, and libcurl's own time-out (`CURLOPT_TIMEOUT_MS`) would not look.
static void wait_for_more(struct curl_line_state *line, int64_t milliseconds) {
  int64_t end = now_ms() + milliseconds;
  curl.multi_poll(line->multi, NULL, 0, (int)milliseconds, NULL);
  int64_t now = now_ms();
  if (now - end > 1000 && line->due < now + 1000) line->due = now + 1000;
}

bool curl_line_work(curl_line handle, int milliseconds) {
  struct curl_line_state *line = handle.state;
  int64_t end = now_ms() + milliseconds;
  while (!atomic_load(&line->is_over)) {
    int running = 0, left = 0;
    if (atomic_load(&line->is_cancelled)) {
      finish(line, CURLE_ABORTED_BY_CALLBACK);
    } else if (curl.multi_perform(line->multi, &running) != 0) {
      finish(line, CURLE_OUT_OF_MEMORY);
    } else if (!running) {
      CURLMsg *message = curl.multi_info_read(line->multi, &left);
      finish(line, message ? message->data.result : CURLE_OUT_OF_MEMORY);
    } else {
      int64_t now = now_ms(), rest = end - now, left = line->due - now;
      if (left <= 0) finish(line, CURLE_OPERATION_TIMEDOUT);
      else if (rest <= 0) return false;
      else wait_for_more(line, rest < left ? rest : left);
    }
  }
  return true;
}

void curl_line_cancel(curl_line line) {
  atomic_store(&line.state->is_cancelled, true);
  curl.multi_wakeup(line.state->multi);
}

void curl_line_gunzip(curl_line handle) {
  struct curl_line_state *line = handle.state;
  struct buffer result = {0};
  line->code = gunzip(line->body, &result, line->most_body);
  free(line->body.bytes);
  line->body = result;
}

curl_line_outcome curl_line_result(curl_line handle) {
  struct curl_line_state *line = handle.state;
  if (!atomic_load(&line->is_over)) abort();
  curl_line_outcome outcome = {
    .code = line->code,
    .port = line->port,
    .was_cut = line->was_cut,
    .misses_certificate = line->tls.misses_certificate,
    .was_held_back = line->starts > 1 && !line->may_repeat,
    .head = line->head.bytes,
    .head_count = line->head.count,
    .body = line->body.bytes,
    .body_count = line->body.count,
  };
  if (line->code == CURLE_OK) return outcome;
  long request_size = 0, certificate = X509_V_OK, proxy_certificate = X509_V_OK;
  curl.easy_getinfo(line->easy, CURLINFO_REQUEST_SIZE, &request_size);
  curl.easy_getinfo(line->easy, CURLINFO_OS_ERRNO, &outcome.os_error);
  curl.easy_getinfo(line->easy, CURLINFO_SSL_VERIFYRESULT, &certificate);
  curl.easy_getinfo(line->easy, CURLINFO_PROXY_SSL_VERIFYRESULT, &proxy_certificate);
  curl.easy_getinfo(line->easy, CURLINFO_HTTP_CONNECTCODE, &outcome.proxy_status);
  outcome.certificate_error = (x509_code)certificate;
  outcome.proxy_certificate_error = (x509_code)proxy_certificate;
  outcome.was_sent = line->tells_starts ? line->starts > 0 : request_size > 0;
  return outcome;
}
