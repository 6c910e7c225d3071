// Buttons over libgpiod 1.6 and 2.x behind the same five functions.
#ifndef CGPIO_H
#define CGPIO_H

#endif
