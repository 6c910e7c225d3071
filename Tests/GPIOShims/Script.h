// The calls of a test to a shim; included after the shim and after the model of the chip.

static void note_lines(void) {
    for (uint32_t offset = 0; offset < CHIP_LINES; offset++) {
        const struct chip_line *line = &chip[offset];
        if (!line->is_requested) continue;
        note("line %u: %s, active %s, %s\n", offset, line->bias, line->is_active_low ? "low" : "high",
             line->has_edges ? "both edges" : "not both edges");
    }
}

static void note_events(cgpio_request *request) {
    int descriptors[CGPIO_MAX_LINES];
    int count = cgpio_descriptors(request, descriptors);
    cgpio_event events[CGPIO_MAX_EVENTS];
    for (int i = 0; i < count; i++) {
        if (!chip_is_readable(descriptors[i])) continue;
        bool was_full = false;
        int read = cgpio_read(request, descriptors[i], events, &was_full);
        for (int j = 0; j < read && j < 4; j++) {
            note("event: line %u %s at %llu ns, number %u\n", events[j].offset,
                 events[j].is_active ? "active" : "inactive", (unsigned long long)events[j].timestamp_ns,
                 events[j].sequence);
        }
        if (read > 4) note("events: %d, queue %s\n", read, was_full ? "full" : "not full");
        if (read < 0) note("read: %d\n", read);
    }
}

static const char *run_script(void) {
    memset(chip, 0, sizeof chip);
    transcript[0] = 0;
    open_chips = open_requests = 0;
    char text[64] = "";
    int lines = cgpio_chip_label(CHIP_PATH, text, sizeof text);
    note("chip: %s, %d lines\n", text, lines);
    note("GPIO17: %d, GPIO99: %d\n", cgpio_chip_line(CHIP_PATH, "GPIO17"), cgpio_chip_line(CHIP_PATH, "GPIO99"));
    int is_used = cgpio_chip_line_user(CHIP_PATH, USED_LINE, text, sizeof text);
    note("line %d: used %d by \"%s\"\n", USED_LINE, is_used, text);
    is_used = cgpio_chip_line_user(CHIP_PATH, 17, text, sizeof text);
    note("line 17: used %d by \"%s\"\n", is_used, text);
    note("no chip: %d\n", cgpio_chip_label("/dev/gpiochip9", text, sizeof text));

    cgpio_request *request = NULL;
    const cgpio_line used[] = {{17, CGPIO_PULL_UP}, {USED_LINE, CGPIO_PULL_UP}};
    note("open a used line: %d\n", cgpio_open(CHIP_PATH, used, 2, "boardd", &request));
    note_lines();

    // Not pressed: a pull-up holds its line high, a pull-down low; the third has an external resistor to ground.
    chip_set(17, true, 0);
    const cgpio_line wired[] = {{17, CGPIO_PULL_UP}, {27, CGPIO_PULL_DOWN}, {22, CGPIO_PULL_NONE}};
    note("open: %d\n", cgpio_open(CHIP_PATH, wired, 3, "boardd", &request));
    note_lines();
    note("active: %d %d %d\n", cgpio_level(request, 17), cgpio_level(request, 27), cgpio_level(request, 22));
    // Pressed: a button at a pull-up connects its line to ground, the others to the supply.
    chip_set(17, false, 1000000001);
    chip_set(27, true, 2000000002);
    chip_set(22, true, 3000000003);
    note("active: %d %d %d\n", cgpio_level(request, 17), cgpio_level(request, 27), cgpio_level(request, 22));
    note_events(request);
    // Released.
    chip_set(17, true, 4000000004);
    note_events(request);
    // Bounces more often than the first ABI's queue can hold.
    for (int i = 0; i < 20; i++) chip_set(17, i % 2 != 0, 5000000000 + (uint64_t)i);
    note_events(request);
    cgpio_close(request);
    note_lines();
    note("left open: %d chips, %d requests\n", open_chips, open_requests);
    return transcript;
}
