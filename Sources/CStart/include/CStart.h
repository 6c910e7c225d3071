// Code that runs before the Swift runtime starts: see start.c.
#ifndef CSTART_H
#define CSTART_H

// The value of LISTEN_PID, LISTEN_FDS or LISTEN_FDNAMES (sd_listen_fds(3)) when the program started; NULL: not set.
// The environment itself no longer has them.
const char *boardd_passed(const char *name);

#endif
