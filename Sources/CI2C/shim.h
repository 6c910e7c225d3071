// libi2c and the ioctls of i2c-dev that Swift cannot call, since ioctl is variadic.
// Each returns 0 or the requested value, or -errno, as libi2c's own functions do.
#ifndef CI2C_SHIM_H
#define CI2C_SHIM_H
#include <errno.h>
#include <i2c/smbus.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <sys/ioctl.h>

// Selects this 7-bit address for further transfers; -EBUSY if a kernel driver uses it.
static inline int ci2c_set_address(int file, unsigned char address) {
    return ioctl(file, I2C_SLAVE, (unsigned long)address) < 0 ? -errno : 0;
}

// The I2C_FUNC_ bits of the adapter.
static inline long ci2c_functions(int file) {
    unsigned long functions = 0;
    return ioctl(file, I2C_FUNCS, &functions) < 0 ? -(long)errno : (long)functions;
}

// The timeout of a transfer, in units of 10 ms.
static inline int ci2c_set_timeout(int file, unsigned long tens_of_milliseconds) {
    return ioctl(file, I2C_TIMEOUT, tens_of_milliseconds) < 0 ? -errno : 0;
}

#endif
