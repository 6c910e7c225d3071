// A GPIO chip in memory, and a transcript of its use. Included once into each shim's own file, after the shim's macros, so
// that everything here is private to that file.
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHIP_PATH "/dev/gpiochip0"
#define CHIP_LINES 54
// A line that a kernel driver uses.
#define USED_LINE 4

struct chip_event {
    uint64_t timestamp_ns;
    uint32_t offset;
    uint32_t sequence;
    bool is_rising;
};

struct chip_line {
    bool is_high;     // the voltage
    bool is_requested;
    bool is_active_low;
    bool has_edges;   // both of them
    const char *bias;
    uint32_t sequence;
    struct chip_event queue[64];
    int queued;
};

static struct chip_line chip[CHIP_LINES];
static char transcript[8192];
static int open_chips, open_requests;

__attribute__((format(printf, 1, 2))) static void note(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    size_t used = strlen(transcript);
    vsnprintf(transcript + used, sizeof transcript - used, format, arguments);
    va_end(arguments);
}

// Requests a line; -1 with errno where that is not possible.
static int chip_take(uint32_t offset, bool is_active_low, const char *bias, bool has_edges) {
    if (offset == USED_LINE) {
        errno = EBUSY;
        return -1;
    }
    struct chip_line *line = &chip[offset];
    *line = (struct chip_line){.is_high = line->is_high, .is_requested = true, .is_active_low = is_active_low,
                               .has_edges = has_edges, .bias = bias};
    return 0;
}

static void chip_release(uint32_t offset) { chip[offset].is_requested = false; }

// The library's level of a line: 1 where it is active.
static int chip_level(uint32_t offset) { return chip[offset].is_high != chip[offset].is_active_low; }

// Changes a line's voltage; where edges were requested, queues one, as long as there is room.
static void chip_set(uint32_t offset, bool is_high, uint64_t timestamp_ns) {
    struct chip_line *line = &chip[offset];
    if (line->is_high == is_high) return;
    line->is_high = is_high;
    if (!line->is_requested || !line->has_edges) return;
    line->sequence++;
    if (line->queued == QUEUE) return;
    line->queue[line->queued++] = (struct chip_event){
        .timestamp_ns = timestamp_ns, .offset = offset, .sequence = line->sequence, .is_rising = chip_level(offset)};
}
