#define SHIM(name) gpio_shim_2_##name
#include "../Renamed.h"
#include "../../../Sources/CGPIO/libgpiod2.c"

#include "GPIOShim2.h"

// The queue size that the shim requests.
#define QUEUE 64
#include "../Chip.h"

#define DESCRIPTOR 100

struct gpiod_chip {
    int unused;
};

struct gpiod_chip_info {
    int unused;
};

struct gpiod_line_info {
    unsigned int offset;
};

struct gpiod_line_settings {
    enum gpiod_line_direction direction;
    enum gpiod_line_edge edge;
    enum gpiod_line_bias bias;
    enum gpiod_line_clock clock;
    bool is_active_low;
};

struct gpiod_line_config {
    size_t count;
    unsigned int offsets[CGPIO_MAX_LINES];
    struct gpiod_line_settings settings[CGPIO_MAX_LINES];
};

struct gpiod_request_config {
    const char *consumer;
    size_t event_buffer_size;
};

struct gpiod_line_request {
    size_t count;
    unsigned int offsets[CGPIO_MAX_LINES];
};

struct gpiod_edge_event {
    struct chip_event event;
};

struct gpiod_edge_event_buffer {
    struct gpiod_edge_event events[QUEUE];
};

static struct gpiod_chip the_chip;
static struct gpiod_chip_info the_info;

struct gpiod_chip *gpiod_chip_open(const char *path) {
    if (strcmp(path, CHIP_PATH) != 0) {
        errno = ENOENT;
        return NULL;
    }
    open_chips++;
    return &the_chip;
}

void gpiod_chip_close(struct gpiod_chip *chip) { open_chips -= chip == &the_chip; }

struct gpiod_chip_info *gpiod_chip_get_info(struct gpiod_chip *chip) { return chip == &the_chip ? &the_info : NULL; }

const char *gpiod_chip_info_get_label(struct gpiod_chip_info *info) {
    return info == &the_info ? "pinctrl-bcm2711" : "";
}

size_t gpiod_chip_info_get_num_lines(struct gpiod_chip_info *info) { return info == &the_info ? CHIP_LINES : 0; }

void gpiod_chip_info_free(struct gpiod_chip_info *info) { (void)info; }

int gpiod_chip_get_line_offset_from_name(struct gpiod_chip *chip, const char *name) {
    if (chip == &the_chip && strcmp(name, "GPIO17") == 0) return 17;
    errno = ENOENT;
    return -1;
}

struct gpiod_line_info *gpiod_chip_get_line_info(struct gpiod_chip *chip, unsigned int offset) {
    if (chip != &the_chip || offset >= CHIP_LINES) {
        errno = EINVAL;
        return NULL;
    }
    struct gpiod_line_info *info = calloc(1, sizeof *info);
    if (info) info->offset = offset;
    return info;
}

const char *gpiod_line_info_get_consumer(struct gpiod_line_info *info) {
    return info->offset == USED_LINE ? "gpio-keys" : NULL;
}

bool gpiod_line_info_is_used(struct gpiod_line_info *info) { return info->offset == USED_LINE; }

void gpiod_line_info_free(struct gpiod_line_info *info) { free(info); }

struct gpiod_line_settings *gpiod_line_settings_new(void) { return calloc(1, sizeof(struct gpiod_line_settings)); }

void gpiod_line_settings_free(struct gpiod_line_settings *settings) { free(settings); }

int gpiod_line_settings_set_direction(struct gpiod_line_settings *settings, enum gpiod_line_direction direction) {
    settings->direction = direction;
    return 0;
}

int gpiod_line_settings_set_edge_detection(struct gpiod_line_settings *settings, enum gpiod_line_edge edge) {
    settings->edge = edge;
    return 0;
}

int gpiod_line_settings_set_bias(struct gpiod_line_settings *settings, enum gpiod_line_bias bias) {
    settings->bias = bias;
    return 0;
}

int gpiod_line_settings_set_event_clock(struct gpiod_line_settings *settings, enum gpiod_line_clock event_clock) {
    settings->clock = event_clock;
    return 0;
}

void gpiod_line_settings_set_active_low(struct gpiod_line_settings *settings, bool active_low) {
    settings->is_active_low = active_low;
}

struct gpiod_line_config *gpiod_line_config_new(void) { return calloc(1, sizeof(struct gpiod_line_config)); }

void gpiod_line_config_free(struct gpiod_line_config *config) { free(config); }

int gpiod_line_config_add_line_settings(
    struct gpiod_line_config *config, const unsigned int *offsets, size_t num_offsets,
    struct gpiod_line_settings *settings) {
    for (size_t i = 0; i < num_offsets; i++) {
        config->offsets[config->count] = offsets[i];
        config->settings[config->count++] = *settings;
    }
    return 0;
}

struct gpiod_request_config *gpiod_request_config_new(void) { return calloc(1, sizeof(struct gpiod_request_config)); }

void gpiod_request_config_free(struct gpiod_request_config *config) { free(config); }

void gpiod_request_config_set_consumer(struct gpiod_request_config *config, const char *consumer) {
    config->consumer = consumer;
}

void gpiod_request_config_set_event_buffer_size(struct gpiod_request_config *config, size_t event_buffer_size) {
    config->event_buffer_size = event_buffer_size;
}

struct gpiod_line_request *gpiod_chip_request_lines(
    struct gpiod_chip *chip, struct gpiod_request_config *request_config, struct gpiod_line_config *line_config) {
    if (chip != &the_chip) return NULL;
    note("request of %s, %zu events\n", request_config->consumer, request_config->event_buffer_size);
    struct gpiod_line_request *request = calloc(1, sizeof *request);
    if (!request) return NULL;
    for (size_t i = 0; i < line_config->count; i++) {
        const struct gpiod_line_settings *settings = &line_config->settings[i];
        const char *bias = settings->bias == GPIOD_LINE_BIAS_PULL_UP     ? "pull-up"
                           : settings->bias == GPIOD_LINE_BIAS_PULL_DOWN ? "pull-down"
                           : settings->bias == GPIOD_LINE_BIAS_DISABLED  ? "no bias"
                                                                         : "bias as it was";
        bool has_edges = settings->edge == GPIOD_LINE_EDGE_BOTH && settings->direction == GPIOD_LINE_DIRECTION_INPUT &&
                         settings->clock == GPIOD_LINE_CLOCK_MONOTONIC;
        if (chip_take(line_config->offsets[i], settings->is_active_low, bias, has_edges) < 0) {
            // The kernel grants all lines or none.
            for (size_t j = 0; j < i; j++) chip_release(line_config->offsets[j]);
            free(request);
            return NULL;
        }
        request->offsets[request->count++] = line_config->offsets[i];
    }
    open_requests++;
    return request;
}

void gpiod_line_request_release(struct gpiod_line_request *request) {
    open_requests--;
    for (size_t i = 0; i < request->count; i++) chip_release(request->offsets[i]);
    free(request);
}

enum gpiod_line_value gpiod_line_request_get_value(struct gpiod_line_request *request, unsigned int offset) {
    (void)request;
    return chip_level(offset) ? GPIOD_LINE_VALUE_ACTIVE : GPIOD_LINE_VALUE_INACTIVE;
}

// One descriptor per request.
int gpiod_line_request_get_fd(struct gpiod_line_request *request) {
    (void)request;
    return DESCRIPTOR;
}

static bool chip_is_readable(int descriptor) {
    bool is_queued = false;
    for (size_t i = 0; i < CHIP_LINES; i++) is_queued = is_queued || chip[i].queued > 0;
    return descriptor == DESCRIPTOR && is_queued;
}

int gpiod_line_request_read_edge_events(
    struct gpiod_line_request *request, struct gpiod_edge_event_buffer *buffer, size_t max_events) {
    int count = 0;
    for (size_t i = 0; i < request->count; i++) {
        struct chip_line *line = &chip[request->offsets[i]];
        for (int j = 0; j < line->queued && count < (int)max_events; j++) buffer->events[count++].event = line->queue[j];
        line->queued = 0;
    }
    return count;
}

struct gpiod_edge_event_buffer *gpiod_edge_event_buffer_new(size_t capacity) {
    return capacity <= QUEUE ? calloc(1, sizeof(struct gpiod_edge_event_buffer)) : NULL;
}

void gpiod_edge_event_buffer_free(struct gpiod_edge_event_buffer *buffer) { free(buffer); }

struct gpiod_edge_event *gpiod_edge_event_buffer_get_event(struct gpiod_edge_event_buffer *buffer, unsigned long index) {
    return index < QUEUE ? &buffer->events[index] : NULL;
}

enum gpiod_edge_event_type gpiod_edge_event_get_event_type(struct gpiod_edge_event *event) {
    return event->event.is_rising ? GPIOD_EDGE_EVENT_RISING_EDGE : GPIOD_EDGE_EVENT_FALLING_EDGE;
}

uint64_t gpiod_edge_event_get_timestamp_ns(struct gpiod_edge_event *event) { return event->event.timestamp_ns; }

unsigned int gpiod_edge_event_get_line_offset(struct gpiod_edge_event *event) { return event->event.offset; }

unsigned long gpiod_edge_event_get_line_seqno(struct gpiod_edge_event *event) { return event->event.sequence; }

#include "../Script.h"

const char *gpio_shim_2_transcript(void) { return run_script(); }
