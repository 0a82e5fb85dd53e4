extension CountPage {
  /// What this page has beside the style that all share.
  static let style: HTML = """
    .chart.plot{max-width:none;display:block}
    .periodicity{fill:var(--accent);opacity:.28}
    .line.tempo{stroke:var(--second)}
    .band.attempt{fill:none;stroke-width:1.5;stroke-dasharray:4 3}
    .chart text.number{fill:#fff;font-weight:600}
    .chart text.number.attempt{fill:var(--soft)}
    .swatch.attempt{border:1.5px dashed var(--soft)}
    .clip{margin:0 0 26px}.clip:last-child{margin-bottom:0}
    .clip figcaption{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 16px;
    font-size:13.5px;margin-bottom:4px}
    .clip figcaption span{overflow-wrap:anywhere}.clip em{color:var(--soft);font-style:normal}
    .clip .wrong{color:var(--bad)}
    .clip details{font-size:13.5px}.clip summary{cursor:pointer;color:var(--soft)}
    .points circle{fill:var(--accent);opacity:.75}.points circle.far{fill:var(--bad)}
    .chart path.band{fill:var(--good);opacity:.13}
    .fit{fill:var(--accent)}.misfit{fill:var(--bad)}
    """
}
