#pragma once
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
static const unsigned long kinema_VIDIOC_QUERYCAP = VIDIOC_QUERYCAP;
