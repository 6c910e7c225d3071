// Buttons through libgpiod 1.6 and 2.x with one API. Every int is 0 or more, or -errno.
//
// A request is used from one thread. Levels and edges are logical: "active" is a pressed button, since a line with a
// pull-up is requested as active low. The caller debounces, so that both versions behave alike.
#ifndef CGPIO_H
#define CGPIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The maximum number of lines per request and of events per read: the limit of libgpiod 1.6, and more than the kernel
// queues for a line in its version.
#define CGPIO_MAX_LINES 64
#define CGPIO_MAX_EVENTS 64

typedef enum cgpio_pull { CGPIO_PULL_NONE, CGPIO_PULL_UP, CGPIO_PULL_DOWN } cgpio_pull;

typedef struct cgpio_line {
    uint32_t offset;
    cgpio_pull pull;
} cgpio_line;

typedef struct cgpio_event {
    uint64_t timestamp_ns;  // CLOCK_MONOTONIC
    uint32_t offset;
    uint32_t sequence;      // of the line, from 1; 0: this libgpiod does not count
    bool is_active;         // the level after the edge
} cgpio_event;

typedef struct cgpio_request cgpio_request;

// -- Chips ------------------------------------------------------------------------------------------------------------

// Writes the label of the chip at path; returns its number of lines.
int cgpio_chip_label(const char *path, char *label, size_t size);
// The offset of the line with this name on the chip at path; -ENOENT.
int cgpio_chip_line(const char *path, const char *name);
// Writes the consumer of a line of the chip at path; returns 1 when the line is in use, 0 when it is free.
int cgpio_chip_line_user(const char *path, uint32_t offset, char *user, size_t size);

// -- Requests ---------------------------------------------------------------------------------------------------------

// Requests lines for both edges, all or none.
int cgpio_open(const char *path, const cgpio_line *lines, size_t count, const char *consumer, cgpio_request **request);
// Writes the descriptors to poll, at most CGPIO_MAX_LINES; returns their number.
int cgpio_descriptors(const cgpio_request *request, int *descriptors);
// Reads the events of a descriptor that poll reports as readable; blocks otherwise. events holds CGPIO_MAX_EVENTS.
// Sets queue_was_full when the kernel may have dropped events unnoticed. Returns the number of events.
int cgpio_read(cgpio_request *request, int descriptor, cgpio_event *events, bool *queue_was_full);
// 1 when the line is active, 0 when it is not.
int cgpio_level(cgpio_request *request, uint32_t offset);
// Releases the lines.
void cgpio_close(cgpio_request *request);

#endif
