// Counts references without atomic steps as long as the program has one thread, as libstdc++ does for its own: a tenth of
// the time of a run goes into them.
//
// The linker puts these in place of Swift's (`--wrap` in Package.swift), which they call for whatever is not as simple as
// most. glibc says whether there is one thread: it withdraws that before a second one begins (glibc manual,
// "Single-Threaded"). Elsewhere every step is atomic.

#include <stdint.h>

#ifdef COUNTS_WITHOUT_ATOMICS

#if UINTPTR_MAX == UINT64_MAX && __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define HAS_ONE_THREAD __libc_single_threaded
#else
#define HAS_ONE_THREAD 0
#endif

// Swift's own; weak, since tests are linked with these and without `--wrap`.
__attribute__((weak)) void *__real_swift_retain(void *object);
__attribute__((weak)) void __real_swift_release(void *object);

// An object as Swift 5 and 6 lay it out (RefCount.h of its runtime). Its uppermost bit says that there is more to do: the
// count is kept elsewhere, or the object dies, or it is there for ever, and its lower half is all ones.
struct object {
  void *type;
  uint64_t counts;
};
static const uint64_t one = UINT64_C(1) << 33;
static const uint32_t for_ever = UINT32_MAX;

// What a reference may carry beside its address, where it is one to a bridged object.
static const uintptr_t address = UINT64_C(0x00FFFFFFFFFFFFF8);

void *__wrap_swift_retain(void *reference) {
  if (HAS_ONE_THREAD && (intptr_t)reference > 0) {
    struct object *object = (struct object *)((uintptr_t)reference & address);
    uint64_t counts = object->counts + one;
    if ((int64_t)counts >= 0) {
      object->counts = counts;
      return reference;
    }
    if ((uint32_t)counts == for_ever) return reference;
  }
  return __real_swift_retain(reference);
}

void __wrap_swift_release(void *reference) {
  if (HAS_ONE_THREAD && (intptr_t)reference > 0) {
    struct object *object = reference;
    uint64_t counts = object->counts - one;
    if ((int64_t)counts >= 0) {
      object->counts = counts;
      return;
    }
    if ((uint32_t)counts == for_ever) return;
  }
  __real_swift_release(reference);
}

#endif
