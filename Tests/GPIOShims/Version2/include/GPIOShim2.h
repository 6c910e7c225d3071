// The shim for libgpiod 2, run against a model of that library.
#ifndef GPIO_SHIM_2
#define GPIO_SHIM_2

// Runs the same calls every time; returns the library calls and the shim's results, one per line.
const char *gpio_shim_2_transcript(void);

#endif
