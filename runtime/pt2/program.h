// The main header of this library: reads and writes exported programs and their files.
#pragma once

#include "pt2/save_program.h"
