// Records this process's calls that synchronise and rename files, in order, and says before each that changes a file. In the
// test program only, they replace the C library's functions, and do the same.
//
// For LD_PRELOAD, with -DFILE_CALLS_PRELOADED: the program is killed before call number FILE_CALLS_KILL that changes a file
// whose path begins with FILE_CALLS_FOLDER.
#ifndef FILE_CALLS_H
#define FILE_CALLS_H

// The recorded calls for paths below a folder, one per line: "fsync PATH", "rename FROM TO". The caller frees the text.
char *file_calls(const char *folder);

typedef void (*file_calls_watcher)(void *context);

// Calls `watcher` before each call that changes a file below a folder, on the thread of the call; NULL ends it.
void file_calls_watch(const char *folder, file_calls_watcher watcher, void *context);

#endif
