#pragma once
#include <oneapi/dnnl/dnnl.h>
