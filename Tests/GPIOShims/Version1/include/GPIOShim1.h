// The shim for libgpiod 1, run against a model of that library.
#ifndef GPIO_SHIM_1
#define GPIO_SHIM_1

// Runs the same calls every time; returns the library calls and the shim's results, one per line.
const char *gpio_shim_1_transcript(void);

#endif
