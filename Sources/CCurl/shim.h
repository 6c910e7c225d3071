// libcurl for Swift. curl_easy_setopt and curl_easy_getinfo are variadic, which Swift cannot call:
// one inline function a type of argument.
#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H
#include <curl/curl.h>

#endif
