package import Foundation
import KinemaFiles

/// What all pages have in common: they open without a network and run no scripts.
enum Page {
  static func html(title: String, style: HTML = .empty, content: HTML) -> String {
    let page: HTML = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
      <title>\(title)</title>
      <style>\(EvaluationPage.style)\(style)</style>
      </head>
      <body>
      <main>
      \(content)
      </main>
      </body>
      </html>

      """
    return page.source
  }

  /// Large figures side by side: the name, the figure and a note of each, the first one set off.
  static func tiles(_ tiles: [(name: String, figure: String, note: String)]) -> HTML {
    let items = tiles.enumerated().map { index, tile -> HTML in
      """
      <div class="tile\(index == 0 ? " first" : "")"><dt>\(tile.name)</dt><dd>\(tile.figure)</dd>\
      <dd class="note">\(tile.note)</dd></div>
      """
    }
    return "<dl class=\"tiles\">\(HTML(items))</dl>"
  }
}

package protocol WritablePage {
  var html: String { get }
}

extension WritablePage {
  /// Writes the page, whole or not at all; throws ``KinemaFiles/WholeFile/Failure`` where the file
  /// cannot be written.
  package func write(to url: URL) throws { try WholeFile.write(html.utf8, to: url) }
}
