#pragma once
#include <stddef.h>
#include <stdint.h>

// libFuzzer as a library: https://llvm.org/docs/LibFuzzer.html
int LLVMFuzzerRunDriver(int *argc, char ***argv,
                        int (*callback)(const uint8_t *data, size_t size));
