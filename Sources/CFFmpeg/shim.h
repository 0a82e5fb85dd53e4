#pragma once
#include <stdarg.h>
#include <stdio.h>
#include <libavcodec/avcodec.h>
#include <libavdevice/avdevice.h>
#include <libavformat/avformat.h>
#include <libavutil/audio_fifo.h>
#include <libavutil/channel_layout.h>
#include <libavutil/display.h>
#include <libavutil/imgutils.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libavutil/sha.h>
#include <libavutil/time.h>
#include <libswresample/swresample.h>
#include <libswscale/swscale.h>
#include <linux/videodev2.h>

// Macros that Swift cannot import.
static const int kinema_AVERROR_EOF = AVERROR_EOF;
static const int kinema_AVERROR_EXIT = AVERROR_EXIT;
static const int kinema_AVERROR_INVALIDDATA = AVERROR_INVALIDDATA;
static const int kinema_AVERROR_ENCODER_NOT_FOUND = AVERROR_ENCODER_NOT_FOUND;
static const int kinema_AVERROR_DECODER_NOT_FOUND = AVERROR_DECODER_NOT_FOUND;
static const int kinema_AVERROR_STREAM_NOT_FOUND = AVERROR_STREAM_NOT_FOUND;
static const int kinema_AVERROR_HTTP_BAD_REQUEST = AVERROR_HTTP_BAD_REQUEST;
static const int kinema_AVERROR_HTTP_SERVER_ERROR = AVERROR_HTTP_SERVER_ERROR;
static const int64_t kinema_AV_NOPTS_VALUE = AV_NOPTS_VALUE;
static inline int kinema_AVERROR(int code) { return AVERROR(code); }
// FFmpeg 6 has renamed the member.
static inline int64_t kinema_frame_duration(const AVFrame *frame) {
#if LIBAVUTIL_VERSION_MAJOR >= 58
  return frame->duration;
#else
  return frame->pkt_duration;
#endif
}
/// The nine 32-bit numbers of a track's display matrix; null without one. FFmpeg 7 has them in another place.
static inline const int32_t *kinema_display_matrix(const AVStream *stream) {
  const uint8_t *data = NULL;
  size_t size = 0;
#if LIBAVFORMAT_VERSION_MAJOR >= 61
  const AVPacketSideData *side = av_packet_side_data_get(
      stream->codecpar->coded_side_data, stream->codecpar->nb_coded_side_data,
      AV_PKT_DATA_DISPLAYMATRIX);
  if (side) {
    data = side->data;
    size = side->size;
  }
#else
  data = av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &size);
#endif
  return size >= 9 * sizeof(int32_t) ? (const int32_t *)data : NULL;
}
static const unsigned long kinema_VIDIOC_QUERYCAP = VIDIOC_QUERYCAP;

// Swift 6.0 compiles no function that takes a va_list for 64-bit ARM.
typedef void (*kinema_log_receiver)(const char *line);
static inline kinema_log_receiver *kinema_receiver_of_errors(void) {
  static kinema_log_receiver receiver;
  return &receiver;
}
static inline void kinema_log(void *source, int level, const char *format, va_list arguments) {
  if (level > AV_LOG_ERROR || !format) return;
  char line[512];
  vsnprintf(line, sizeof line, format, arguments);
  (*kinema_receiver_of_errors())(line);
}
/// Calls a function with each error that FFmpeg logs, cut after 511 bytes, in place of printing it.
static inline void kinema_log_errors_to(kinema_log_receiver receiver) {
  *kinema_receiver_of_errors() = receiver;
  av_log_set_callback(kinema_log);
}
