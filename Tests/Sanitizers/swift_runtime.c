// What ThreadSanitizer does not see of Swift's run time: its libraries are not instrumented. These
// functions come before the libraries' own and report what is ordered by
//
// - a `Mutex` that another thread holds: only the first attempt to lock is compiled into its user;
// - a `CheckedContinuation` that is resumed before its task waits;
// - the count of an object's owners: what each did comes before what the last one does.
//
// Names and layouts are those of Swift 6.3 on x86-64.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void __tsan_acquire(void *address);
void __tsan_release(void *address);

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))
#define ASYNC __attribute__((swiftasynccall))
#define FRAME __attribute__((swift_async_context))
#define NAMED(name) __asm__(name)
// The library's own function.
#define LIBRARYS(type, name)                                                                \
  ({                                                                                        \
    static _Atomic(void *) function;                                                        \
    void *found = atomic_load_explicit(&function, memory_order_relaxed);                    \
    if (!found) atomic_store(&function, found = dlsym(RTLD_NEXT, name));                    \
    (type) found;                                                                           \
  })

// MARK: - Mutex

// _MutexHandle._lockSlow(UInt32) and _unlockSlow()
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slowly(uint32_t thread, SELF void *mutex) NAMED(LOCK);
SWIFT void lock_slowly(uint32_t thread, SELF void *mutex) {
  typedef SWIFT void (*Lock)(uint32_t, SELF void *);
  LIBRARYS(Lock, LOCK)(thread, mutex);
  __tsan_acquire(mutex);
}

SWIFT void unlock_slowly(SELF void *mutex) NAMED(UNLOCK);
SWIFT void unlock_slowly(SELF void *mutex) {
  typedef SWIFT void (*Unlock)(SELF void *);
  __tsan_release(mutex);
  LIBRARYS(Unlock, UNLOCK)(mutex);
}

// MARK: - Continuations

// CheckedContinuation.resume(returning:) and resume(throwing:)
#define RETURNING "$sScC6resume9returningyxn_tF"
#define THROWING "$sScC6resume8throwingyq_n_tF"
#define BEGIN "swift_continuation_init"

// The object behind a CheckedContinuation.
typedef struct {
  void *header[2];
  _Atomic(void *) task;
} Canary;

static void release_task(Canary *canary) {
  void *task = atomic_load_explicit(&canary->task, memory_order_relaxed);
  if (task) __tsan_release(task);
}

typedef SWIFT void (*Resume)(void *result, void *type, SELF Canary **continuation);

SWIFT void resume_returning(void *value, void *type, SELF Canary **continuation) NAMED(RETURNING);
SWIFT void resume_returning(void *value, void *type, SELF Canary **continuation) {
  release_task(*continuation);
  LIBRARYS(Resume, RETURNING)(value, type, continuation);
}

SWIFT void resume_throwing(void *error, void *type, SELF Canary **continuation) NAMED(THROWING);
SWIFT void resume_throwing(void *error, void *type, SELF Canary **continuation) {
  release_task(*continuation);
  LIBRARYS(Resume, THROWING)(error, type, continuation);
}

// What a task goes on with; the head of the run time's AsyncContext.
typedef struct Frame {
  struct Frame *parent;
  ASYNC void (*resume)(FRAME struct Frame *);
} Frame;

SWIFT void *swift_task_getCurrent(void);

// Frames whose function `resumed` stands in for, by address.
#define PLACES 65536
static struct {
  _Atomic(Frame *) frame;
  ASYNC void (*resume)(FRAME Frame *);
} waiting[PLACES];

static size_t first_place(Frame *frame) { return ((uintptr_t)frame >> 4) % PLACES; }

ASYNC static void resumed(FRAME Frame *frame) {
  size_t place = first_place(frame);
  while (atomic_load(&waiting[place].frame) != frame) place = (place + 1) % PLACES;
  frame->resume = waiting[place].resume;
  atomic_store(&waiting[place].frame, NULL);
  __tsan_acquire(swift_task_getCurrent());
  __attribute__((musttail)) return frame->resume(frame);
}

SWIFT void *begin_continuation(Frame *frame, size_t flags) NAMED(BEGIN);
SWIFT void *begin_continuation(Frame *frame, size_t flags) {
  typedef SWIFT void *(*Begin)(Frame *, size_t);
  size_t place = first_place(frame);
  Frame *held = NULL;
  while (!atomic_compare_exchange_strong(&waiting[place].frame, &held, frame)) {
    // Left by a task at the same address that never went on.
    if (held == frame) break;
    held = NULL;
    place = (place + 1) % PLACES;
  }
  waiting[place].resume = frame->resume;
  frame->resume = resumed;
  return LIBRARYS(Begin, BEGIN)(frame, flags);
}

// MARK: - Reference counts

// The head of an object. The upper half of the counts has the further owners, negative where the object
// is freed, immortal (all ones below) or counted elsewhere.
typedef struct {
  void *type;
  _Atomic(int64_t) counts;
} Object;

#define OWNER ((int64_t)1 << 33)
void swift_release(Object *object) {
  if ((intptr_t)object <= 0) return;
  int64_t counts = atomic_load_explicit(&object->counts, memory_order_relaxed);
  while (counts >= OWNER) {
    __tsan_release(object);
    if (atomic_compare_exchange_weak(&object->counts, &counts, counts - OWNER)) return;
  }
  if ((uint32_t)counts != UINT32_MAX) {
    // With a weak reference the counts are elsewhere.
    if (counts < 0) __tsan_release(object);
    __tsan_acquire(object);
  }
  LIBRARYS(void (*)(Object *), "swift_release")(object);
}

void swift_release_n(Object *object, uint32_t count) {
  if ((intptr_t)object > 0) {
    __tsan_release(object);
    __tsan_acquire(object);
  }
  LIBRARYS(void (*)(Object *, uint32_t), "swift_release_n")(object, count);
}

// The address without the bits of a bridged object.
#define ADDRESS(object) ((void *)((uintptr_t)(object) & 0x00fffffffffffff8))

// Who finds itself the only owner may write.
#define UNIQUE(name)                                                    \
  bool name(void *object) {                                             \
    bool is_unique = LIBRARYS(bool (*)(void *), #name)(object);         \
    if (is_unique) __tsan_acquire(ADDRESS(object));                     \
    return is_unique;                                                   \
  }
UNIQUE(swift_isUniquelyReferenced_native)
UNIQUE(swift_isUniquelyReferenced_nonNull_native)
UNIQUE(swift_isUniquelyReferenced_nonNull_bridgeObject)
UNIQUE(swift_isUniquelyReferencedNonObjC_nonNull_bridgeObject)
