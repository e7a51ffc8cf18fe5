#pragma once

#include <stdbool.h>

/// Starts a server on a free port of 127.0.0.1, in a process of its own that ends with this one; gives the port.
int speed_server(void);

/// Asks so often, one after the other, with libcurl alone: one handle, its connection kept; gives the seconds.
double speed_bare(const char *url, bool posts, int count);
