import CCairo

/// A point in a frame in pixels, origin at the upper left, y down.
struct PixelPoint: Hashable {
  var x: Double
  var y: Double
}

/// An upright rectangle of a frame in pixels, origin at the upper left, y down.
struct PixelRectangle: Hashable {
  var x: Double
  var y: Double
  var width: Double
  var height: Double

  /// The rectangle with its sides moved inwards, or outwards if the distance is negative.
  func insetBy(_ distance: Double) -> PixelRectangle {
    PixelRectangle(
      x: x + distance, y: y + distance, width: width - 2 * distance, height: height - 2 * distance)
  }
}

/// Draws with Cairo into memory that the caller owns.
///
/// Frames store red, green, blue; Cairo on little-endian machines blue, green, red. Red and blue
/// are exchanged in every colour passed to Cairo, so that no pixel is converted. After an error,
/// Cairo ignores what is drawn.
struct Canvas: ~Copyable {
  /// The contents of a pixel's fourth byte.
  enum PixelFormat {
    case opaque
    case premultipliedAlpha
  }

  private let surface: OpaquePointer
  private let context: OpaquePointer

  /// Creates a canvas over rows of four-byte pixels without gaps, in memory that must outlive it;
  /// `nil` if Cairo cannot draw there (a side over 32,767 pixels, too little memory).
  init?(
    drawingInto bytes: UnsafeMutableRawBufferPointer, width: Int, height: Int, _ format: PixelFormat
  ) {
    let bytesPerRow = width * 4
    guard
      width > 0, height > 0, width <= 32_767, height <= 32_767,
      bytes.count >= bytesPerRow * height, let base = bytes.baseAddress,
      let surface = cairo_image_surface_create_for_data(
        base.assumingMemoryBound(to: UInt8.self),
        format == .opaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32,
        Int32(width), Int32(height), Int32(bytesPerRow))
    else { return nil }
    guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS,
      let context = cairo_create(surface)
    else {
      cairo_surface_destroy(surface)
      return nil
    }
    self.surface = surface
    self.context = context
    cairo_set_line_cap(context, CAIRO_LINE_CAP_ROUND)
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    guard let fontOptions = cairo_font_options_create() else { return }
    cairo_font_options_set_antialias(fontOptions, CAIRO_ANTIALIAS_GRAY)
    cairo_font_options_set_hint_style(fontOptions, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(fontOptions, CAIRO_HINT_METRICS_OFF)
    cairo_set_font_options(context, fontOptions)
    cairo_font_options_destroy(fontOptions)
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_finish(surface)
    cairo_surface_destroy(surface)
  }

  /// Whether everything so far was drawn.
  var isIntact: Bool { cairo_status(context) == CAIRO_STATUS_SUCCESS }
}

// MARK: - Shapes

extension Canvas {
  /// Draws lines as one path, so that they do not darken each other where they cross.
  func strokeLines(_ lines: [(PixelPoint, PixelPoint)], width: Double, color: Color) {
    for (start, end) in lines {
      cairo_move_to(context, start.x, start.y)
      cairo_line_to(context, end.x, end.y)
    }
    setSource(color)
    cairo_set_line_width(context, width)
    cairo_stroke(context)
  }

  /// Draws a line whose colour runs from one to another.
  func strokeLine(
    from start: PixelPoint, to end: PixelPoint, width: Double, colors: (start: Color, end: Color)
  ) {
    guard let gradient = cairo_pattern_create_linear(start.x, start.y, end.x, end.y) else { return }
    addStop(colors.start, at: 0, to: gradient)
    addStop(colors.end, at: 1, to: gradient)
    cairo_set_source(context, gradient)
    cairo_pattern_destroy(gradient)
    cairo_move_to(context, start.x, start.y)
    cairo_line_to(context, end.x, end.y)
    cairo_set_line_width(context, width)
    cairo_stroke(context)
  }

  func strokePath(_ points: [PixelPoint], width: Double, color: Color) {
    for point in points { cairo_line_to(context, point.x, point.y) }
    setSource(color)
    cairo_set_line_width(context, width)
    cairo_stroke(context)
  }

  func fillCircle(at center: PixelPoint, radius: Double, color: Color) {
    cairo_new_path(context)
    cairo_arc(context, center.x, center.y, radius, 0, 2 * .pi)
    setSource(color)
    cairo_fill(context)
  }

  func fillRoundedRectangle(_ rectangle: PixelRectangle, radius: Double, color: Color) {
    let right = rectangle.x + rectangle.width
    let bottom = rectangle.y + rectangle.height
    let quarter = Double.pi / 2
    cairo_new_path(context)
    cairo_arc(context, right - radius, rectangle.y + radius, radius, -quarter, 0)
    cairo_arc(context, right - radius, bottom - radius, radius, 0, quarter)
    cairo_arc(context, rectangle.x + radius, bottom - radius, radius, quarter, 2 * quarter)
    cairo_arc(context, rectangle.x + radius, rectangle.y + radius, radius, 2 * quarter, 3 * quarter)
    cairo_close_path(context)
    setSource(color)
    cairo_fill(context)
  }

  /// Starts a layer that takes all drawing until ``endSheet(opacity:)``.
  func beginSheet(in area: PixelRectangle) {
    cairo_save(context)
    cairo_rectangle(context, area.x, area.y, area.width, area.height)
    cairo_clip(context)
    cairo_push_group(context)
  }

  /// Draws the layer on the frame.
  func endSheet(opacity: Double) {
    cairo_pop_group_to_source(context)
    cairo_paint_with_alpha(context, opacity)
    cairo_restore(context)
  }

  /// Draws an image with premultiplied alpha.
  func paint(_ pixels: UnsafeRawBufferPointer, width: Int, height: Int, x: Int, y: Int) {
    guard pixels.count >= width * height * 4, let base = pixels.baseAddress,
      let source = cairo_image_surface_create_for_data(
        UnsafeMutablePointer(mutating: base.assumingMemoryBound(to: UInt8.self)),
        CAIRO_FORMAT_ARGB32, Int32(width), Int32(height), Int32(width * 4))
    else { return }
    cairo_set_source_surface(context, source, Double(x), Double(y))
    cairo_paint(context)
    setSource(.black)
    cairo_surface_finish(source)
    cairo_surface_destroy(source)
  }
}

// MARK: - Text

extension Canvas {
  struct Font: Hashable {
    var family: String
    /// The height of the em square in pixels.
    var size: Double
    var isBold: Bool
  }

  /// The width of a line of text in pixels; 0 without a font.
  func width(of text: String, font: Font) -> Double {
    select(font)
    var extents = cairo_text_extents_t()
    cairo_text_extents(context, text, &extents)
    return isIntact ? extents.x_advance : 0
  }

  /// Draws a line of text from a point on its base line.
  func drawText(_ text: String, at start: PixelPoint, font: Font, color: Color) {
    select(font)
    setSource(color)
    cairo_move_to(context, start.x, start.y)
    cairo_show_text(context, text)
    cairo_new_path(context)
  }

  private func select(_ font: Font) {
    cairo_select_font_face(
      context, font.family, CAIRO_FONT_SLANT_NORMAL,
      font.isBold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL)
    cairo_set_font_size(context, font.size)
  }
}

// MARK: - Colours, red and blue exchanged

extension Canvas {
  private func setSource(_ color: Color) {
    cairo_set_source_rgba(context, color.blue, color.green, color.red, color.alpha)
  }

  private func addStop(_ color: Color, at offset: Double, to gradient: OpaquePointer) {
    cairo_pattern_add_color_stop_rgba(
      gradient, offset, color.blue, color.green, color.red, color.alpha)
  }
}
