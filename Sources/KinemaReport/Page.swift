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
      <style>\(EvaluationPage.style)\(style)\(paper)</style>
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

  /// How pages are printed: colours as on the screen, no card or row cut in two, room for names.
  private static let paper: HTML = """
    .paper{display:none}
    @page{margin:14mm 12mm}
    @media print{body{background:#fff;-webkit-print-color-adjust:exact;print-color-adjust:exact}
    main{max-width:none;margin:0;padding:0}section{box-shadow:none;padding:12px 14px}
    figure,.tile,tr,.strip{break-inside:avoid}header,h1,h2,h3{break-after:avoid}
    .tiles{grid-template-columns:repeat(5,1fr)}
    .paper{display:grid;grid-template-columns:2fr 1fr 2fr;gap:0 18px;margin:14px 0 18px}
    .paper dt{font-size:11px;color:var(--soft)}.paper dd{margin:0;height:22px;border-bottom:1px solid #888}}
    """

  /// Lines on paper to write who was measured, when, and by whom.
  static let names: HTML = """
    <dl class="paper"><div><dt>Name</dt><dd></dd></div><div><dt>Date</dt><dd></dd></div>\
    <div><dt>Clinician or trainer</dt><dd></dd></div></dl>
    """

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
