#include "library.h"

#include <limits.h>
#include <stdlib.h>

/// The format is gzip alone, with the largest window.
enum { Z_GZIP = 16 + 15, Z_OK = 0, Z_STREAM_END = 1, Z_BUF_ERROR = -5, Z_NO_FLUSH = 0 };

int gunzip(struct buffer gzip, struct buffer *result, size_t most) {
  z_stream stream = {.next_in = gzip.bytes, .avail_in = (unsigned)gzip.count};
  if (gzip.count > UINT_MAX || !zlib.init || zlib.init(&stream, Z_GZIP, "1", sizeof stream) != Z_OK)
    return CURLE_BAD_CONTENT_ENCODING;
  int state;
  do {
    // There is room for one byte more than may come.
    size_t capacity = result->capacity * 2 + (1 << 16);
    result->capacity = capacity > most ? most + 1 : capacity;
    result->bytes = realloc(result->bytes, result->capacity);
    if (!result->bytes) abort();
    size_t room = result->capacity - result->count;
    stream.next_out = result->bytes + result->count;
    stream.avail_out = room > UINT_MAX ? UINT_MAX : (unsigned)room;
    state = zlib.inflate(&stream, Z_NO_FLUSH);
    result->count = (size_t)(stream.next_out - result->bytes);
  } while (state == Z_OK && !stream.avail_out && result->count <= most);
  zlib.end(&stream);
  if (result->count > most) return CURLE_WRITE_ERROR;
  if (state == Z_OK || state == Z_BUF_ERROR) return CURLE_PARTIAL_FILE;
  return state == Z_STREAM_END && !stream.avail_in ? CURLE_OK : CURLE_BAD_CONTENT_ENCODING;
}
