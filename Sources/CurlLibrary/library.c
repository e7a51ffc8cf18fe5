#include "library.h"

#include "CurlLibrary.h"

#include <dlfcn.h>
#include <pthread.h>

struct curl_functions curl;

static const char *problem;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void *open_library(void) {
#ifdef __APPLE__
  static const char *const names[] = {"libcurl.4.dylib", "/usr/lib/libcurl.4.dylib"};
#else
  static const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl-nss.so.4"};
#endif
  for (size_t index = 0; index < sizeof names / sizeof *names; index++) {
    void *library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    if (library) return library;
  }
  return NULL;
}

static void load(void) {
  void *library = open_library();
  if (!library) {
#ifdef __APPLE__
    problem = "live runs need libcurl, which is part of macOS but was not found";
#else
    problem = "live runs need libcurl: install libcurl4 (Debian, Ubuntu: libcurl4 or libcurl4t64; Fedora: libcurl; "
              "Alpine: libcurl)";
#endif
    return;
  }
#define FIND(name) \
  if (!(*(void **)&curl.name = dlsym(library, "curl_" #name))) \
    problem = "live runs need libcurl 7.68 or newer: this one has no curl_" #name
  FIND(global_init);
  FIND(easy_init);
  FIND(easy_cleanup);
  FIND(easy_setopt);
  FIND(easy_getinfo);
  FIND(slist_append);
  FIND(slist_free_all);
  FIND(multi_init);
  FIND(multi_cleanup);
  FIND(multi_setopt);
  FIND(multi_add_handle);
  FIND(multi_remove_handle);
  FIND(multi_perform);
  FIND(multi_poll);
  FIND(multi_wakeup);
  FIND(multi_info_read);
  if (!problem && curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) problem = "libcurl cannot be initialized";
}

const char *curl_library_load(void) {
  pthread_once(&once, load);
  return problem;
}
