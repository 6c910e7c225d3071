// The shim for libgpiod 2, run against a model of that library.
#ifndef GPIO_SHIM_2
#define GPIO_SHIM_2

// Does the same with the shim every time; returns what the library was asked for and what the shim said, a fact a line.
const char *gpio_shim_2_transcript(void);

#endif
