// libgpiod 1.6 (Debian 11 and 12): one descriptor per line, 16 events per queue, no sequence numbers.
#include "CGPIO.h"

#include <gpiod.h>

#ifdef GPIOD_LINE_BULK_MAX_LINES

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

// The depth of the kernel's queue for line events of the first ABI; when it is full, the newest events are dropped.
#define QUEUE_DEPTH 16

struct cgpio_request {
    struct gpiod_chip *chip;
    struct gpiod_line *lines[CGPIO_MAX_LINES];
    size_t count;
};

// The negative errno, never 0: some paths of the library fail without setting it.
static int failure(void) {
    return errno > 0 ? -errno : -EIO;
}

int cgpio_chip_label(const char *path, char *label, size_t size) {
    errno = 0;
    struct gpiod_chip *chip = gpiod_chip_open(path);
    if (!chip) return failure();
    int count = (int)gpiod_chip_num_lines(chip);
    snprintf(label, size, "%s", gpiod_chip_label(chip));
    gpiod_chip_close(chip);
    return count;
}

int cgpio_chip_line(const char *path, const char *name) {
    errno = 0;
    struct gpiod_chip *chip = gpiod_chip_open(path);
    if (!chip) return failure();
    struct gpiod_line *line = gpiod_chip_find_line(chip, name);
    int offset = line ? (int)gpiod_line_offset(line) : -ENOENT;
    gpiod_chip_close(chip);
    return offset;
}

int cgpio_chip_line_user(const char *path, uint32_t offset, char *user, size_t size) {
    errno = 0;
    struct gpiod_chip *chip = gpiod_chip_open(path);
    if (!chip) return failure();
    int result;
    struct gpiod_line *line = gpiod_chip_get_line(chip, offset);
    if (line) {
        const char *consumer = gpiod_line_consumer(line);
        snprintf(user, size, "%s", consumer ? consumer : "");
        result = gpiod_line_is_used(line);
    } else {
        result = failure();
    }
    gpiod_chip_close(chip);
    return result;
}

static int request_flags(cgpio_pull pull) {
    switch (pull) {
    case CGPIO_PULL_UP:
        return GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP | GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW;
    case CGPIO_PULL_DOWN:
        return GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN;
    case CGPIO_PULL_NONE:
        break;
    }
    return GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE;
}

int cgpio_open(const char *path, const cgpio_line *lines, size_t count, const char *consumer, cgpio_request **request) {
    if (count == 0 || count > CGPIO_MAX_LINES) return -EINVAL;
    cgpio_request *opened = calloc(1, sizeof *opened);
    if (!opened) return -ENOMEM;
    errno = 0;
    opened->chip = gpiod_chip_open(path);
    if (!opened->chip) {
        int error = failure();
        free(opened);
        return error;
    }
    for (size_t i = 0; i < count; i++) {
        errno = 0;
        struct gpiod_line *line = gpiod_chip_get_line(opened->chip, lines[i].offset);
        if (!line || gpiod_line_request_both_edges_events_flags(line, consumer, request_flags(lines[i].pull)) < 0) {
            int error = failure();
            cgpio_close(opened);
            return error;
        }
        opened->lines[opened->count++] = line;
    }
    *request = opened;
    return 0;
}

int cgpio_descriptors(const cgpio_request *request, int *descriptors) {
    for (size_t i = 0; i < request->count; i++) descriptors[i] = gpiod_line_event_get_fd(request->lines[i]);
    return (int)request->count;
}

int cgpio_read(cgpio_request *request, int descriptor, cgpio_event *events, bool *queue_was_full) {
    *queue_was_full = false;
    for (size_t i = 0; i < request->count; i++) {
        if (gpiod_line_event_get_fd(request->lines[i]) != descriptor) continue;
        struct gpiod_line_event read[QUEUE_DEPTH];
        errno = 0;
        int count = gpiod_line_event_read_multiple(request->lines[i], read, QUEUE_DEPTH);
        if (count < 0) return failure();
        for (int j = 0; j < count; j++) {
            events[j] = (cgpio_event){
                .timestamp_ns = (uint64_t)read[j].ts.tv_sec * 1000000000u + (uint64_t)read[j].ts.tv_nsec,
                .offset = gpiod_line_offset(request->lines[i]),
                .sequence = 0,
                .is_active = read[j].event_type == GPIOD_LINE_EVENT_RISING_EDGE,
            };
        }
        *queue_was_full = count >= QUEUE_DEPTH;
        return count;
    }
    return -EBADF;
}

int cgpio_level(cgpio_request *request, uint32_t offset) {
    for (size_t i = 0; i < request->count; i++) {
        if (gpiod_line_offset(request->lines[i]) != offset) continue;
        errno = 0;
        int value = gpiod_line_get_value(request->lines[i]);
        return value < 0 ? failure() : value;
    }
    return -EINVAL;
}

void cgpio_close(cgpio_request *request) {
    if (!request) return;
    for (size_t i = 0; i < request->count; i++) gpiod_line_release(request->lines[i]);
    gpiod_chip_close(request->chip);
    free(request);
}

#endif
