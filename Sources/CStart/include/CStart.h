// Code that runs before the Swift runtime starts: see start.c. It exports no function.
#ifndef CSTART_H
#define CSTART_H
#endif
