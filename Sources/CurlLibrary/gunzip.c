#include "CurlLibrary.h"
#include "library.h"

#include <limits.h>
#include <stdlib.h>

/// The format is gzip alone, with the largest window.
enum { Z_GZIP = 16 + 15, Z_OK = 0, Z_STREAM_END = 1, Z_BUF_ERROR = -5, Z_NO_FLUSH = 0 };

/// Makes room, in the end for one byte more than may come.
static void grow(struct buffer *buffer, size_t most) {
  size_t capacity = buffer->capacity * 2 + (1 << 16);
  buffer->capacity = capacity > most ? most + 1 : capacity;
  buffer->bytes = realloc(buffer->bytes, buffer->capacity);
  if (!buffer->bytes) abort();
}

int gunzip(struct buffer gzip, struct buffer *result, size_t most) {
  z_stream stream = {.next_in = gzip.bytes, .avail_in = (unsigned)gzip.count};
  if (gzip.count > UINT_MAX || !zlib.init || zlib.init(&stream, Z_GZIP, "1", sizeof stream) != Z_OK)
    return CURLE_BAD_CONTENT_ENCODING;
  int state;
  bool is_next;
  do {
    if (result->count == result->capacity) grow(result, most);
    size_t room = result->capacity - result->count;
    stream.next_out = result->bytes + result->count;
    stream.avail_out = room > UINT_MAX ? UINT_MAX : (unsigned)room;
    state = zlib.inflate(&stream, Z_NO_FLUSH);
    result->count = (size_t)(stream.next_out - result->bytes);
    // Behind the end of a member stands the next (RFC 1952 §2.2), or what is damaged.
    is_next = state == Z_STREAM_END && stream.avail_in && zlib.reset(&stream) == Z_OK;
  } while ((is_next || (state == Z_OK && !stream.avail_out)) && result->count <= most);
  zlib.end(&stream);
  if (result->count > most) return CURLE_WRITE_ERROR;
  if (state == Z_OK || state == Z_BUF_ERROR) return CURLE_PARTIAL_FILE;
  return state == Z_STREAM_END && !stream.avail_in ? CURLE_OK : CURLE_BAD_CONTENT_ENCODING;
}
