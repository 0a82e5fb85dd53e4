import Foundation
import KinemaVideo
import KinemaVision
import Synchronization

extension LiveSession {
  /// A picture that waits to be looked at.
  private struct Arrival: Sendable {
    enum Content: Sendable {
      case jpeg(Data)
      case frame(Frame)
    }

    var content: Content
    var sequence: UInt32
    /// The time as the sender gave it, in milliseconds.
    var sentTime: Double
    /// When it came, on the server's clock.
    var time: TimeInterval
    /// How many pictures had come with it.
    var number: Int
    var epoch: Int

    var isServers: Bool {
      if case .frame = content { return true }
      return false
    }
  }

  // MARK: - Arriving

  /// Takes a client's picture.
  func receivePicture(_ data: Data) {
    let now = ProcessInfo.processInfo.systemUptime
    guard data.count <= context.configuration.maximumPictureBytes else {
      tell(
        "tooBig",
        "A picture has \(data.count) bytes: send at most "
          + "\(context.configuration.maximumPictureBytes).", closing: 1009)
      return
    }
    do {
      let picture = try PictureMessage(data)
      let (epoch, number): (Int?, Int) = link.withLock { link in
        // Some are still under way when the client has chosen another source.
        guard link.source.kind == .browser else { return (nil, 0) }
        link.arrivedCount += 1
        return (link.epoch, link.arrivedCount)
      }
      guard let epoch else { return }
      offer(
        Arrival(
          content: .jpeg(picture.jpeg), sequence: picture.sequence, sentTime: picture.time,
          time: now, number: number, epoch: epoch))
    } catch {
      fault("badPicture", self.error(error).message)
    }
  }

  /// Takes what the server's own source tells.
  func receive(_ event: LiveVideoEvent, epoch: Int) {
    switch event {
    case .status(let status):
      if link.withLock({ $0.epoch }) == epoch { send(SourceMessage(status)) }
    case .frame(let frame, let time, let droppedCount):
      let (sequence, number, lost): (UInt32?, Int, Int) = link.withLock { link in
        guard link.epoch == epoch else { return (nil, 0, 0) }
        // What was lost before this session came is none of its business.
        let lost = max(0, droppedCount - (link.sourceDroppedCount ?? droppedCount))
        link.sourceDroppedCount = droppedCount
        link.lostCount += lost
        link.arrivedCount += 1
        link.serverSequence &+= 1
        return (link.serverSequence, link.arrivedCount, lost)
      }
      guard let sequence else { return }
      if lost > 0 { context.metrics.update { $0.droppedCount += lost } }
      offer(
        Arrival(
          content: .frame(frame), sequence: sequence, sentTime: time * 1000,
          time: ProcessInfo.processInfo.systemUptime, number: number, epoch: epoch))
    }
  }

  private func offer(_ arrival: Arrival) {
    let isReplacing = stream.offer { look in self.answer(arrival, look: &look) }
    if isReplacing { context.metrics.update { $0.droppedCount += 1 } }
  }

  // MARK: - In the session's turn

  private func answer(_ arrival: Arrival, look: inout PoseLook) {
    let isWanted = link.withLock { link in
      guard link.epoch == arrival.epoch, link.socket != nil else { return false }
      // Pictures come in order: those before this one that were not looked at never will be.
      link.processedCount += 1
      link.droppedCount = arrival.number - link.processedCount + link.lostCount
      return true
    }
    guard isWanted else { return }
    var durations = StageDurations()
    durations.add(.queue, seconds: ProcessInfo.processInfo.systemUptime - arrival.time)
    do {
      let frame = try durations.measure(.decoding) { try self.frame(of: arrival) }
      if !arrival.isServers { link.withLock { $0.faultCount = 0 } }
      var message = try found(in: frame, of: arrival, look: &look, durations: &durations)
      if arrival.isServers {
        let jpeg = try durations.measure(.encoding) {
          try frame.jpegData(quality: context.configuration.pictureQuality)
        }
        let picture = PictureMessage(
          sequence: arrival.sequence, time: arrival.sentTime, jpeg: jpeg)
        send(latest: .binary(picture.data), kind: "picture")
      }
      let seconds = ProcessInfo.processInfo.systemUptime - arrival.time
      durations.add(.total, seconds: seconds)
      message.serverTime = (seconds * 1000).rounded(places: 2)
      message.dropped = link.withLock { link in
        link.analysedCount += 1
        link.latencies.add(seconds * 1000)
        return link.droppedCount
      }
      context.metrics.add(durations)
      send(latest: message.webSocketMessage, kind: "frame")
    } catch let error as VideoError {
      fault("badPicture", error.message)
    } catch let error as VisionError {
      tell("unavailable", error.message, closing: 1011)
    } catch {
      tellOccasionally(error)
    }
  }

  private func frame(of arrival: Arrival) throws -> Frame {
    switch arrival.content {
    case .jpeg(let data):
      try Frame(jpeg: data, maximumPixelCount: context.configuration.maximumPictureSize)
    case .frame(let frame): frame
    }
  }

  private func found(
    in frame: Frame, of arrival: Arrival, look: inout PoseLook, durations: inout StageDurations
  ) throws -> FrameMessage {
    let (time, recordStart) = analysis.withLock { analysis in
      let time = analysis.time(
        ofPictureSentAt: arrival.sentTime / 1000, arrivedAt: arrival.time)
      return (time, analysis.tally.start)
    }
    look.maximumPersonCount = link.withLock { $0.settings.maximumPersonCount }
    look.isSmoothed = context.configuration.isSmoothed
    link.withLock { $0.recorder }?.add(frame, at: time - (recordStart ?? time))
    let poses = try durations.measure(.poses) { try look.poses(in: frame, at: time) }
    let picture = SessionAnalysis.Picture(
      sequence: arrival.sequence, sentTime: arrival.sentTime, width: frame.width,
      height: frame.height, time: time)
    let (message, challenge) = try analysis.withLock { analysis in
      let before = analysis.challenge?.message
      let message = try analysis.add(poses, in: picture, durations: &durations)
      let after = analysis.challenge?.message
      return (message, before == after ? nil : after)
    }
    if let challenge { send(latest: challenge.webSocketMessage, kind: "challenge") }
    return message
  }

  /// Tells of an error that may come with every picture, now and then.
  private func tellOccasionally(_ error: any Error) {
    let now = ProcessInfo.processInfo.systemUptime
    let isDue = link.withLock { link in
      guard now - link.lastErrorTime > 5 else { return false }
      link.lastErrorTime = now
      return true
    }
    if isDue { tell("analysis", self.error(error).message) }
  }
}
