/* Two searches of the C library that its headers show only to GNU sources. */
#include <stddef.h>
void *memmem(const void *haystack, size_t haystack_length, const void *needle, size_t needle_length);
void *memrchr(const void *bytes, int byte, size_t length);
