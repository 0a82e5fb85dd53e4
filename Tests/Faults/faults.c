// Fails one call of a program: LD_PRELOAD this, with the environment variables
//   KINEMA_FAULT         CALL:N or CALL:N+ (this call only, or it and all later ones), N from 1, of
//                        write, fsync, rename, open, mkdir, truncate, read, receive or memory
//   KINEMA_FAULT_PATH    which files count: those whose path contains this
//   KINEMA_FAULT_ERROR   the error number (default ENOSPC; read EIO, receive ECONNRESET), or `kill`: the program
//                        is killed before the call
//   KINEMA_FAULT_BYTES   the size from which memory counts (default 1 MiB)
//   KINEMA_FAULT_REPORT  a file that gets a byte for each call that has failed
// An N of 0 fails nothing, and REPORT gets a byte for each call that counts.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum call { WRITE = 1, FSYNC, RENAME, OPEN, MKDIR, TRUNCATE, READ, RECEIVE, MEMORY };
static const char *const names[] = {
    "", "write", "fsync", "rename", "open", "mkdir", "truncate", "read", "receive", "memory"};

static enum call chosen;
static unsigned long first, minimum = 1 << 20;
static int lasts, kills, number = ENOSPC;
static const char *path_part, *report;
static atomic_ulong count;

__attribute__((constructor)) static void start(void) {
  const char *fault = getenv("KINEMA_FAULT");
  if (!fault) return;
  path_part = getenv("KINEMA_FAULT_PATH");
  report = getenv("KINEMA_FAULT_REPORT");
  const char *error = getenv("KINEMA_FAULT_ERROR"), *bytes = getenv("KINEMA_FAULT_BYTES");
  if (bytes) minimum = strtoul(bytes, NULL, 10);
  const char *colon = strchr(fault, ':');
  if (!colon) return;
  char *end;
  first = strtoul(colon + 1, &end, 10);
  lasts = *end == '+';
  for (enum call call = WRITE; call <= MEMORY; call++)
    if (strncmp(fault, names[call], colon - fault) == 0 && !names[call][colon - fault]) {
      number = call == READ ? EIO : call == RECEIVE ? ECONNRESET : call == MEMORY ? ENOMEM : ENOSPC;
      if (error && !(kills = strcmp(error, "kill") == 0)) number = atoi(error);
      chosen = call;
    }
}

// Whether this call, which counts, fails; with `errno` set.
static int fails(void) {
  unsigned long place = atomic_fetch_add(&count, 1) + 1;
  int now = first && (lasts ? place >= first : place == first);
  if ((now || !first) && report) {
    int file = syscall(SYS_openat, AT_FDCWD, report, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file >= 0) {
      syscall(SYS_write, file, "x", 1);
      syscall(SYS_close, file);
    }
  }
  if (now && kills) kill(getpid(), SIGKILL);
  if (now) errno = number;
  return now;
}

static int path_counts(enum call call, const char *path) {
  return call == chosen && path && (!path_part || strstr(path, path_part)) && fails();
}

static int file_counts(enum call call, int file) {
  if (call != chosen) return 0;
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return path_counts(call, path);
}

static int socket_counts(int file) {
  struct stat status;
  return chosen == RECEIVE && fstat(file, &status) == 0 && S_ISSOCK(status.st_mode) && fails();
}

#define NEXT(name) \
  static __typeof__(name) *next; \
  if (!next) next = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

ssize_t write(int file, const void *bytes, size_t size) {
  NEXT(write);
  return file_counts(WRITE, file) ? -1 : next(file, bytes, size);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t place) {
  NEXT(pwrite);
  return file_counts(WRITE, file) ? -1 : next(file, bytes, size, place);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t place) {
  NEXT(pwrite64);
  return file_counts(WRITE, file) ? -1 : next(file, bytes, size, place);
}

ssize_t writev(int file, const struct iovec *parts, int size) {
  NEXT(writev);
  return file_counts(WRITE, file) ? -1 : next(file, parts, size);
}

size_t fwrite(const void *bytes, size_t size, size_t items, FILE *file) {
  NEXT(fwrite);
  return file_counts(WRITE, fileno(file)) ? 0 : next(bytes, size, items, file);
}

int fflush(FILE *file) {
  NEXT(fflush);
  return file && file_counts(WRITE, fileno(file)) ? EOF : next(file);
}

int fsync(int file) {
  NEXT(fsync);
  return file_counts(FSYNC, file) ? -1 : next(file);
}

int fdatasync(int file) {
  NEXT(fdatasync);
  return file_counts(FSYNC, file) ? -1 : next(file);
}

int ftruncate(int file, off_t size) {
  NEXT(ftruncate);
  return file_counts(TRUNCATE, file) ? -1 : next(file, size);
}

int ftruncate64(int file, off64_t size) {
  NEXT(ftruncate64);
  return file_counts(TRUNCATE, file) ? -1 : next(file, size);
}

int rename(const char *from, const char *to) {
  NEXT(rename);
  return path_counts(RENAME, to) ? -1 : next(from, to);
}

int renameat(int from_folder, const char *from, int to_folder, const char *to) {
  NEXT(renameat);
  return path_counts(RENAME, to) ? -1 : next(from_folder, from, to_folder, to);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
  NEXT(renameat2);
  return path_counts(RENAME, to) ? -1 : next(from_folder, from, to_folder, to, flags);
}

int link(const char *from, const char *to) {
  NEXT(link);
  return path_counts(RENAME, to) ? -1 : next(from, to);
}

int mkdir(const char *path, mode_t mode) {
  NEXT(mkdir);
  return path_counts(MKDIR, path) ? -1 : next(path, mode);
}

// A file opened without a mode has no further argument; reading one all the same is harmless.
#define MODE(last) \
  va_list rest; \
  va_start(rest, last); \
  mode_t mode = va_arg(rest, mode_t); \
  va_end(rest)

int open(const char *path, int flags, ...) {
  NEXT(open);
  MODE(flags);
  return path_counts(OPEN, path) ? -1 : next(path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  NEXT(open64);
  MODE(flags);
  return path_counts(OPEN, path) ? -1 : next(path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  NEXT(openat);
  MODE(flags);
  return path_counts(OPEN, path) ? -1 : next(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
  NEXT(openat64);
  MODE(flags);
  return path_counts(OPEN, path) ? -1 : next(folder, path, flags, mode);
}

FILE *fopen(const char *path, const char *mode) {
  NEXT(fopen);
  return path_counts(OPEN, path) ? NULL : next(path, mode);
}

FILE *fopen64(const char *path, const char *mode) {
  NEXT(fopen64);
  return path_counts(OPEN, path) ? NULL : next(path, mode);
}

ssize_t recv(int file, void *bytes, size_t size, int flags) {
  NEXT(recv);
  return socket_counts(file) ? -1 : next(file, bytes, size, flags);
}

ssize_t read(int file, void *bytes, size_t size) {
  NEXT(read);
  return socket_counts(file) || file_counts(READ, file) ? -1 : next(file, bytes, size);
}

static int memory_counts(size_t size) { return chosen == MEMORY && size >= minimum && fails(); }

extern void *__libc_malloc(size_t), *__libc_realloc(void *, size_t), *__libc_calloc(size_t, size_t);
extern void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) { return memory_counts(size) ? NULL : __libc_malloc(size); }

void *realloc(void *place, size_t size) {
  return memory_counts(size) ? NULL : __libc_realloc(place, size);
}

void *calloc(size_t items, size_t size) {
  return items && size >= minimum / items && memory_counts(items * size)
             ? NULL
             : __libc_calloc(items, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  return memory_counts(size) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **place, size_t alignment, size_t size) {
  if (memory_counts(size)) return ENOMEM;
  *place = __libc_memalign(alignment, size);
  return *place ? 0 : ENOMEM;
}
