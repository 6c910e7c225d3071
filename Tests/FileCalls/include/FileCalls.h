// Records this process's calls that synchronise and rename files, in order. In the test program only, they replace the C
// library's functions, and call them.
#ifndef FILE_CALLS_H
#define FILE_CALLS_H

// The recorded calls for paths below a folder, one per line: "fsync PATH", "rename FROM TO". The caller frees the text.
char *file_calls(const char *folder);

#endif
