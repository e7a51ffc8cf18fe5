#include "library.h"

#include "CurlLibrary.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <unistd.h>

struct curl_functions curl;
struct zlib_functions zlib;
struct openssl_functions openssl;

static const char *problem;
static pthread_once_t once = PTHREAD_ONCE_INIT;

#ifdef __APPLE__
static const char *const names[] = {"libcurl.4.dylib", "/usr/lib/libcurl.4.dylib"};
#else
static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4"};
#endif

static bool are_files_exhausted(void) {
  int file = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (file < 0) return errno == EMFILE || errno == ENFILE;
  close(file);
  return false;
}

static void load(void) {
  void *library = NULL;
  for (unsigned index = 0; !library && index < sizeof names / sizeof *names; index++)
    library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
  // It may well be there, and cannot be opened.
  if (!library && are_files_exhausted()) {
    problem = "live runs need the library libcurl, which cannot be opened: too many files are open (ulimit -n)";
    return;
  }
  if (!library) {
    problem = "live runs need the library libcurl, which is not installed: its package is libcurl4 (Debian and Ubuntu; "
              "libcurl4t64 in newer ones) or libcurl (Fedora, Alpine)";
    return;
  }
#define FIND(name, result, parameters) \
  *(void **)&curl.name = dlsym(library, "curl_" #name); \
  if (!curl.name) problem = "live runs need libcurl 7.68 or newer: the one that is installed has no curl_" #name;
  CURL_FUNCTIONS(FIND)
  // Found among the libraries that libcurl needs itself.
  *(void **)&zlib.inflate = dlsym(library, "inflate");
  *(void **)&zlib.reset = dlsym(library, "inflateReset");
  *(void **)&zlib.end = dlsym(library, "inflateEnd");
  if (zlib.inflate && zlib.reset && zlib.end) *(void **)&zlib.init = dlsym(library, "inflateInit2_");
  *(void **)&openssl.pending = dlsym(library, "SSL_pending");
  *(void **)&openssl.set_msg_callback = dlsym(library, "SSL_CTX_set_msg_callback");
  *(void **)&openssl.ctrl = dlsym(library, "SSL_CTX_ctrl");
  if (!problem && curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) problem = "libcurl cannot be initialized";
}

const char *curl_library_load(void) {
  pthread_once(&once, load);
  return problem;
}
