#pragma once
#include <curl/curl.h>

// Functions of a variable number of arguments, which Swift cannot call.
static inline CURLcode kinema_curl_set_number(CURL *curl, CURLoption option, long value) {
  return curl_easy_setopt(curl, option, value);
}
static inline CURLcode kinema_curl_set_pointer(CURL *curl, CURLoption option, const void *value) {
  return curl_easy_setopt(curl, option, value);
}
static inline CURLcode kinema_curl_set_function(
    CURL *curl, CURLoption option, curl_write_callback value) {
  return curl_easy_setopt(curl, option, value);
}
