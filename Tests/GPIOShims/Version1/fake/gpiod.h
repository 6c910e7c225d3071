// The part of libgpiod 1.6 that the shim uses, with the constants of its header.
#ifndef GPIOD_H
#define GPIOD_H

#include <stdbool.h>
#include <time.h>

#define GPIOD_LINE_BULK_MAX_LINES 64

struct gpiod_chip;
struct gpiod_line;

enum {
    GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW = 1 << 2,
    GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE = 1 << 3,
    GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN = 1 << 4,
    GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP = 1 << 5,
};

enum { GPIOD_LINE_EVENT_RISING_EDGE = 1, GPIOD_LINE_EVENT_FALLING_EDGE };

struct gpiod_line_event {
    struct timespec ts;
    int event_type;
    int offset;
};

static struct gpiod_chip *gpiod_chip_open(const char *path);
static void gpiod_chip_close(struct gpiod_chip *chip);
static const char *gpiod_chip_label(struct gpiod_chip *chip);
static unsigned int gpiod_chip_num_lines(struct gpiod_chip *chip);
static struct gpiod_line *gpiod_chip_get_line(struct gpiod_chip *chip, unsigned int offset);
static struct gpiod_line *gpiod_chip_find_line(struct gpiod_chip *chip, const char *name);
static unsigned int gpiod_line_offset(struct gpiod_line *line);
static const char *gpiod_line_consumer(struct gpiod_line *line);
static bool gpiod_line_is_used(struct gpiod_line *line);
static int gpiod_line_request_both_edges_events_flags(struct gpiod_line *line, const char *consumer, int flags);
static void gpiod_line_release(struct gpiod_line *line);
static int gpiod_line_get_value(struct gpiod_line *line);
static int gpiod_line_event_get_fd(struct gpiod_line *line);
static int gpiod_line_event_read_multiple(
    struct gpiod_line *line, struct gpiod_line_event *events, unsigned int num_events);

#endif
