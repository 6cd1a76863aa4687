#include "read.h"
