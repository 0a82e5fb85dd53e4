#pragma once
#include <seccomp.h>

// Macros that Swift does not import.
static inline uint32_t kinema_seccomp_error(uint16_t number) { return SCMP_ACT_ERRNO(number); }
static const uint32_t kinema_seccomp_allow = SCMP_ACT_ALLOW;
// Of <linux/sched.h>, for clone(2): the new thread shares the memory.
static const uint32_t kinema_clone_vm = 0x100;
