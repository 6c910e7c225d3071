#define SHIM(name) gpio_shim_1_##name
#include "../Renamed.h"
#include "../../../Sources/CGPIO/libgpiod1.c"

#include "GPIOShim1.h"

// The depth of the kernel's queue for a line.
#define QUEUE 16
#include "../Chip.h"

struct gpiod_chip {
    int unused;
};

// A line is identified by its index.
struct gpiod_line {
    int unused;
};

static struct gpiod_chip the_chip;
static struct gpiod_line the_lines[CHIP_LINES];

struct gpiod_chip *gpiod_chip_open(const char *path) {
    if (strcmp(path, CHIP_PATH) != 0) {
        errno = ENOENT;
        return NULL;
    }
    open_chips++;
    return &the_chip;
}

void gpiod_chip_close(struct gpiod_chip *chip) { open_chips -= chip == &the_chip; }

const char *gpiod_chip_label(struct gpiod_chip *chip) { return chip == &the_chip ? "pinctrl-bcm2711" : ""; }

unsigned int gpiod_chip_num_lines(struct gpiod_chip *chip) { return chip == &the_chip ? CHIP_LINES : 0; }

struct gpiod_line *gpiod_chip_get_line(struct gpiod_chip *chip, unsigned int offset) {
    if (chip == &the_chip && offset < CHIP_LINES) return &the_lines[offset];
    errno = EINVAL;
    return NULL;
}

struct gpiod_line *gpiod_chip_find_line(struct gpiod_chip *chip, const char *name) {
    return chip == &the_chip && strcmp(name, "GPIO17") == 0 ? &the_lines[17] : NULL;
}

unsigned int gpiod_line_offset(struct gpiod_line *line) { return (unsigned int)(line - the_lines); }

const char *gpiod_line_consumer(struct gpiod_line *line) {
    return gpiod_line_offset(line) == USED_LINE ? "gpio-keys" : NULL;
}

bool gpiod_line_is_used(struct gpiod_line *line) { return gpiod_line_offset(line) == USED_LINE; }

int gpiod_line_request_both_edges_events_flags(struct gpiod_line *line, const char *consumer, int flags) {
    const char *bias = flags & GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_UP     ? "pull-up"
                       : flags & GPIOD_LINE_REQUEST_FLAG_BIAS_PULL_DOWN ? "pull-down"
                       : flags & GPIOD_LINE_REQUEST_FLAG_BIAS_DISABLE   ? "no bias"
                                                                        : "bias as it was";
    note("request of %s\n", consumer);
    int status = chip_take(gpiod_line_offset(line), flags & GPIOD_LINE_REQUEST_FLAG_ACTIVE_LOW, bias, true);
    open_requests += status == 0;
    return status;
}

void gpiod_line_release(struct gpiod_line *line) {
    open_requests--;
    chip_release(gpiod_line_offset(line));
}

int gpiod_line_get_value(struct gpiod_line *line) { return chip_level(gpiod_line_offset(line)); }

// One descriptor per line.
int gpiod_line_event_get_fd(struct gpiod_line *line) { return 100 + (int)gpiod_line_offset(line); }

static bool chip_is_readable(int descriptor) { return chip[descriptor - 100].queued > 0; }

int gpiod_line_event_read_multiple(
    struct gpiod_line *line, struct gpiod_line_event *events, unsigned int num_events) {
    struct chip_line *state = &chip[gpiod_line_offset(line)];
    int count = state->queued < (int)num_events ? state->queued : (int)num_events;
    for (int i = 0; i < count; i++) {
        const struct chip_event *event = &state->queue[i];
        events[i] = (struct gpiod_line_event){
            .ts = {.tv_sec = (time_t)(event->timestamp_ns / 1000000000), .tv_nsec = (long)(event->timestamp_ns % 1000000000)},
            .event_type = event->is_rising ? GPIOD_LINE_EVENT_RISING_EDGE : GPIOD_LINE_EVENT_FALLING_EDGE,
            .offset = (int)event->offset,
        };
    }
    state->queued = 0;
    return count;
}

#include "../Script.h"

const char *gpio_shim_1_transcript(void) { return run_script(); }
