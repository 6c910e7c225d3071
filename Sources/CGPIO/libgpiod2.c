// libgpiod 2.x (Debian 13): one descriptor per request, events with sequence numbers.
#include "CGPIO.h"

#include <gpiod.h>

#ifndef GPIOD_LINE_BULK_MAX_LINES

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

struct cgpio_request {
    struct gpiod_line_request *request;
    struct gpiod_edge_event_buffer *buffer;
};

// The negative errno, never 0: some paths of the library fail without setting it.
static int failure(void) {
    return errno > 0 ? -errno : -EIO;
}

int cgpio_chip_label(const char *path, char *label, size_t size) {
    errno = 0;
    struct gpiod_chip *chip = gpiod_chip_open(path);
    if (!chip) return failure();
    int count;
    struct gpiod_chip_info *info = gpiod_chip_get_info(chip);
    if (info) {
        snprintf(label, size, "%s", gpiod_chip_info_get_label(info));
        count = (int)gpiod_chip_info_get_num_lines(info);
        gpiod_chip_info_free(info);
    } else {
        count = failure();
    }
    gpiod_chip_close(chip);
    return count;
}

int cgpio_chip_line(const char *path, const char *name) {
    errno = 0;
    struct gpiod_chip *chip = gpiod_chip_open(path);
    if (!chip) return failure();
    int offset = gpiod_chip_get_line_offset_from_name(chip, name);
    if (offset < 0) offset = failure();
    gpiod_chip_close(chip);
    return offset;
}

int cgpio_chip_line_user(const char *path, uint32_t offset, char *user, size_t size) {
    errno = 0;
    struct gpiod_chip *chip = gpiod_chip_open(path);
    if (!chip) return failure();
    int result;
    struct gpiod_line_info *info = gpiod_chip_get_line_info(chip, offset);
    if (info) {
        const char *consumer = gpiod_line_info_get_consumer(info);
        snprintf(user, size, "%s", consumer ? consumer : "");
        result = gpiod_line_info_is_used(info);
        gpiod_line_info_free(info);
    } else {
        result = failure();
    }
    gpiod_chip_close(chip);
    return result;
}

static int set_line(struct gpiod_line_settings *settings, cgpio_pull pull) {
    enum gpiod_line_bias bias = pull == CGPIO_PULL_UP     ? GPIOD_LINE_BIAS_PULL_UP
                                : pull == CGPIO_PULL_DOWN ? GPIOD_LINE_BIAS_PULL_DOWN
                                                          : GPIOD_LINE_BIAS_DISABLED;
    gpiod_line_settings_set_active_low(settings, pull == CGPIO_PULL_UP);
    if (gpiod_line_settings_set_direction(settings, GPIOD_LINE_DIRECTION_INPUT) < 0) return -1;
    if (gpiod_line_settings_set_edge_detection(settings, GPIOD_LINE_EDGE_BOTH) < 0) return -1;
    if (gpiod_line_settings_set_event_clock(settings, GPIOD_LINE_CLOCK_MONOTONIC) < 0) return -1;
    return gpiod_line_settings_set_bias(settings, bias);
}

static struct gpiod_line_request *request_lines(
    const char *path, const cgpio_line *lines, size_t count, const char *consumer) {
    struct gpiod_line_request *request = NULL;
    struct gpiod_line_settings *settings = gpiod_line_settings_new();
    struct gpiod_line_config *line_config = gpiod_line_config_new();
    struct gpiod_request_config *request_config = gpiod_request_config_new();
    int error = 0;
    if (settings && line_config && request_config) {
        gpiod_request_config_set_consumer(request_config, consumer);
        gpiod_request_config_set_event_buffer_size(request_config, CGPIO_MAX_EVENTS);
        int status = 0;
        for (size_t i = 0; i < count && status == 0; i++) {
            unsigned int offset = lines[i].offset;
            status = set_line(settings, lines[i].pull);
            if (status == 0) status = gpiod_line_config_add_line_settings(line_config, &offset, 1, settings);
        }
        struct gpiod_chip *chip = status == 0 ? gpiod_chip_open(path) : NULL;
        if (chip) request = gpiod_chip_request_lines(chip, request_config, line_config);
        error = errno;
        if (chip) gpiod_chip_close(chip);
    } else {
        error = ENOMEM;
    }
    gpiod_request_config_free(request_config);
    gpiod_line_config_free(line_config);
    gpiod_line_settings_free(settings);
    errno = error;
    return request;
}

int cgpio_open(const char *path, const cgpio_line *lines, size_t count, const char *consumer, cgpio_request **request) {
    if (count == 0 || count > CGPIO_MAX_LINES) return -EINVAL;
    cgpio_request *opened = calloc(1, sizeof *opened);
    if (!opened) return -ENOMEM;
    errno = 0;
    opened->request = request_lines(path, lines, count, consumer);
    if (opened->request) opened->buffer = gpiod_edge_event_buffer_new(CGPIO_MAX_EVENTS);
    if (!opened->buffer) {
        int error = failure();
        cgpio_close(opened);
        return error;
    }
    *request = opened;
    return 0;
}

int cgpio_descriptors(const cgpio_request *request, int *descriptors) {
    descriptors[0] = gpiod_line_request_get_fd(request->request);
    return 1;
}

int cgpio_read(cgpio_request *request, int descriptor, cgpio_event *events, bool *queue_was_full) {
    // Events that the kernel dropped appear as a gap in the sequence numbers.
    *queue_was_full = false;
    if (descriptor != gpiod_line_request_get_fd(request->request)) return -EBADF;
    errno = 0;
    int count = gpiod_line_request_read_edge_events(request->request, request->buffer, CGPIO_MAX_EVENTS);
    if (count < 0) return failure();
    for (int i = 0; i < count; i++) {
        struct gpiod_edge_event *event = gpiod_edge_event_buffer_get_event(request->buffer, (unsigned long)i);
        if (!event) return failure();
        events[i] = (cgpio_event){
            .timestamp_ns = gpiod_edge_event_get_timestamp_ns(event),
            .offset = gpiod_edge_event_get_line_offset(event),
            .sequence = (uint32_t)gpiod_edge_event_get_line_seqno(event),
            .is_active = gpiod_edge_event_get_event_type(event) == GPIOD_EDGE_EVENT_RISING_EDGE,
        };
    }
    return count;
}

int cgpio_level(cgpio_request *request, uint32_t offset) {
    errno = 0;
    int value = gpiod_line_request_get_value(request->request, offset);
    return value < 0 ? failure() : value;
}

void cgpio_close(cgpio_request *request) {
    if (!request) return;
    if (request->buffer) gpiod_edge_event_buffer_free(request->buffer);
    if (request->request) gpiod_line_request_release(request->request);
    free(request);
}

#endif
