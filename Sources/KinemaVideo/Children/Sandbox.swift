import CSeccomp
import Glibc

/// Takes from a process what the decoding of a file does not need: the network, other programs, and
/// writing to files; with limits of memory and processor time.
///
/// The rules hold until the process ends. Reading files stays possible.
enum Sandbox {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The memory of decoded pictures and of a decoder's references, in bytes: four times what the
  /// largest picture takes.
  private static let memory: rlim_t = 2 << 30
  /// The processor time of one file, in seconds: two hours of it decode about fifty hours of 720p.
  private static let processorTime: rlim_t = 7200
  private static let openFiles: rlim_t = 64

  /// Calls that start programs, reach other processes or the network, or change files.
  ///
  /// Those that a kernel does not have are left out.
  private static let refused = [
    "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4", "execve", "execveat",
    "fork", "vfork", "ptrace", "process_vm_readv", "process_vm_writev", "kill", "tkill",
    "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "creat", "openat2", "open_by_handle_at",
    "truncate", "ftruncate", "unlink", "unlinkat", "rename", "renameat", "renameat2", "mkdir",
    "mkdirat", "rmdir", "mknod", "mknodat", "link", "linkat", "symlink", "symlinkat", "chmod",
    "fchmod", "fchmodat", "chown", "fchown", "lchown", "fchownat", "setxattr", "lsetxattr",
    "fsetxattr", "mount", "umount2", "pivot_root", "chroot", "unshare", "setns", "bpf",
    "perf_event_open", "io_uring_setup", "io_uring_enter", "keyctl", "add_key", "request_key",
    "userfaultfd", "memfd_create", "init_module", "finit_module", "kexec_load", "reboot", "swapon",
    "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid",
  ]

  /// Enters the sandbox, for good.
  static func enter() throws(Failure) {
    try limit(RLIMIT_CORE, to: 0)
    try limit(RLIMIT_FSIZE, to: 0)
    try limit(RLIMIT_NOFILE, to: openFiles)
    try limit(RLIMIT_DATA, to: memory)
    guard let filter = seccomp_init(kinema_seccomp_allow) else {
      throw Failure(description: "no filter of system calls")
    }
    defer { seccomp_release(filter) }
    // Otherwise it is of the calling thread.
    try check(seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1), "a filter of all threads")
    let denied = kinema_seccomp_error(UInt16(EPERM))
    for name in refused {
      let number = seccomp_syscall_resolve_name(name)
      guard number >= 0 else { continue }
      try check(seccomp_rule_add_array(filter, denied, number, 0, nil), name)
    }
    // Opening for writing or making a file.
    for (name, place) in [("open", UInt32(1)), ("openat", 2)] {
      for flag in [O_WRONLY, O_RDWR, O_CREAT] {
        try add(name, place, mask: flag, value: flag, denied, to: filter)
      }
    }
    // Threads share their memory, other processes do not.
    try add("clone", 0, mask: Int32(kinema_clone_vm), value: 0, denied, to: filter)
    // Its flags are in memory; the C library takes `clone` where it is missing.
    let missing = kinema_seccomp_error(UInt16(ENOSYS))
    try check(
      seccomp_rule_add_array(filter, missing, seccomp_syscall_resolve_name("clone3"), 0, nil),
      "clone3")
    try check(seccomp_load(filter), "the filter of system calls")
  }

  /// Gives the process the processor time of one more file.
  static func allowFile() {
    var usage = rusage()
    getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    let used = rlim_t(max(0, usage.ru_utime.tv_sec + usage.ru_stime.tv_sec))
    var limit = rlimit(rlim_cur: used + processorTime, rlim_max: rlim_t.max)
    _ = setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
  }

  private static func limit(
    _ resource: __rlimit_resource, to value: rlim_t
  ) throws(Failure) {
    var limit = rlimit(rlim_cur: value, rlim_max: value)
    guard setrlimit(__rlimit_resource_t(resource.rawValue), &limit) == 0 else {
      throw Failure(description: String(cString: strerror(errno)))
    }
  }

  private static func add(
    _ name: String, _ place: UInt32, mask: Int32, value: Int32, _ action: UInt32,
    to filter: scmp_filter_ctx
  ) throws(Failure) {
    let number = seccomp_syscall_resolve_name(name)
    guard number >= 0 else { return }
    var rule = scmp_arg_cmp(
      arg: place, op: SCMP_CMP_MASKED_EQ, datum_a: UInt64(UInt32(bitPattern: mask)),
      datum_b: UInt64(UInt32(bitPattern: value)))
    try check(seccomp_rule_add_array(filter, action, number, 1, &rule), name)
  }

  private static func check(_ status: Int32, _ what: String) throws(Failure) {
    guard status == 0 else {
      throw Failure(description: "\(what): \(String(cString: strerror(-status)))")
    }
  }
}
