// The calls of this process that put files onto the disk and into their places, in order. In the program of the tests,
// and there alone, they stand in the place of the C library's functions, and do the same.
#ifndef FILE_CALLS_H
#define FILE_CALLS_H

// The calls so far that concern what is below a folder, one a line: "fsync PATH", "rename FROM TO". To be freed.
char *file_calls(const char *folder);

#endif
