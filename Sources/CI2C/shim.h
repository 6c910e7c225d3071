// libi2c and the two ioctls of i2c-dev that Swift cannot call, since ioctl is variadic.
#ifndef CI2C_SHIM_H
#define CI2C_SHIM_H
#include <errno.h>
#include <i2c/smbus.h>
#include <linux/i2c-dev.h>
#include <linux/i2c.h>
#include <sys/ioctl.h>

#endif
