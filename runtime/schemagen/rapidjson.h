// RapidJSON's parser. Its options are set here, and it is included from nowhere else: sources that differed
// in them would have different functions of one name.
#pragma once

#if defined(__SSE4_2__)
#define RAPIDJSON_SSE42
#elif defined(__SSE2__)
#define RAPIDJSON_SSE2
#endif
#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>
