// Counts references without atomic steps as long as the program has one thread, as libstdc++ does for its own: a twentieth
// of the time of a run goes into them.
//
// The linker puts these in place of Swift's (`--wrap` in Package.swift). glibc says whether there is one thread: it
// withdraws that before a second one begins (glibc manual, "Single-Threaded"). Elsewhere every step is atomic.

#ifdef COUNTS_WITHOUT_ATOMICS

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define HAS_ONE_THREAD __libc_single_threaded
#else
#define HAS_ONE_THREAD 0
#endif

// Swift's own; weak, since tests are linked with these and without `--wrap`.
__attribute__((weak)) void *__real_swift_retain(void *object);
__attribute__((weak)) void __real_swift_release(void *object);
void *swift_nonatomic_retain(void *object);
void swift_nonatomic_release(void *object);

void *__wrap_swift_retain(void *object) {
  return HAS_ONE_THREAD ? swift_nonatomic_retain(object) : __real_swift_retain(object);
}

void __wrap_swift_release(void *object) {
  if (HAS_ONE_THREAD) {
    swift_nonatomic_release(object);
  } else {
    __real_swift_release(object);
  }
}

#endif
