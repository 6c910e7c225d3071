// What the program does before the Swift runtime starts: see start.c. Nothing of it is called.
#ifndef CSTART_H
#define CSTART_H
#endif
