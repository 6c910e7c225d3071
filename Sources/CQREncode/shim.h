// libqrencode for Swift: its functions return an error for every input, and none ends the process.
#ifndef CQRENCODE_SHIM_H
#define CQRENCODE_SHIM_H
#include <qrencode.h>
#endif
