// Renames the shim's functions with SHIM(name), so that they coexist with those of the library in the program.
#include "CGPIO.h"

#define cgpio_chip_label SHIM(chip_label)
#define cgpio_chip_line SHIM(chip_line)
#define cgpio_chip_line_user SHIM(chip_line_user)
#define cgpio_open SHIM(open)
#define cgpio_descriptors SHIM(descriptors)
#define cgpio_read SHIM(read)
#define cgpio_level SHIM(level)
#define cgpio_close SHIM(close)

int cgpio_chip_label(const char *path, char *label, size_t size);
int cgpio_chip_line(const char *path, const char *name);
int cgpio_chip_line_user(const char *path, uint32_t offset, char *user, size_t size);
int cgpio_open(const char *path, const cgpio_line *lines, size_t count, const char *consumer, cgpio_request **request);
int cgpio_descriptors(const cgpio_request *request, int *descriptors);
int cgpio_read(cgpio_request *request, int descriptor, cgpio_event *events, bool *queue_was_full);
int cgpio_level(cgpio_request *request, uint32_t offset);
void cgpio_close(cgpio_request *request);
