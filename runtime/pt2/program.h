// The front door of this library: exported programs and their files, read and written.
#pragma once

#include "pt2/load_program.h"
#include "pt2/program_file.h"
#include "pt2/save_program.h"
