"""Draws measurements over time as an SVG picture, and says how they change."""

import statistics
from html import escape

WIDTH, HEIGHT, LEFT, GAP = 900, 150, 70, 40


def chart(title: str, panels: list[tuple[str, list[tuple[float, float]], str]]) -> str:
    """A picture with a panel for each (name, [(minute, value)], note), one below the other."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" '
        f'height="{60 + len(panels) * (HEIGHT + GAP)}" font-family="sans-serif" font-size="13">',
        '<rect width="100%" height="100%" fill="white"/>',
        f'<text x="{LEFT}" y="28" font-size="17">{escape(title)}</text>',
    ]
    for number, (name, points, note) in enumerate(panels):
        parts += panel(name, points, note, 60 + number * (HEIGHT + GAP))
    return "\n".join(parts + ["</svg>\n"])


def panel(name, points, note, top) -> list[str]:
    width = WIDTH - LEFT - 30
    last = max((x for x, _ in points), default=1) or 1
    low, high = min((y for _, y in points), default=0), max((y for _, y in points), default=1)
    margin = (high - low) * 0.1 or max(abs(high) * 0.1, 1)
    low, high = max(0, low - margin) if low >= 0 else low - margin, high + margin

    def place(x, y):
        return f"{LEFT + width * x / last:.1f},{top + HEIGHT * (high - y) / (high - low):.1f}"

    parts = [
        f'<text x="{LEFT}" y="{top - 6}">{escape(name)}</text>',
        f'<text x="{WIDTH - 30}" y="{top - 6}" text-anchor="end" fill="#555">{escape(note)}</text>',
        f'<rect x="{LEFT}" y="{top}" width="{width}" height="{HEIGHT}" fill="none" stroke="#999"/>',
    ]
    for share in (0, 0.5, 1):
        y = low + (high - low) * share
        parts.append(
            f'<text x="{LEFT - 6}" y="{top + HEIGHT * (1 - share) + 4:.1f}" '
            f'text-anchor="end" fill="#555">{y:.4g}</text>'
        )
    step = next((s for s in (1, 2, 5, 10, 20, 60, 120, 360) if last / s <= 12), 1440)
    for minute in range(0, int(last) + 1, step):
        x = LEFT + width * minute / last
        parts.append(
            f'<text x="{x:.1f}" y="{top + HEIGHT + 16}" text-anchor="middle" fill="#555">'
            f"{minute} min</text>"
        )
    path = " ".join(place(x, y) for x, y in points)
    parts.append(f'<polyline points="{path}" fill="none" stroke="#1463b0" stroke-width="1.5"/>')
    return parts


def slope(points: list[tuple[float, float]]) -> tuple[float, float]:
    """The slope of a line through points, and its standard error."""
    if len(points) < 3:
        return float("nan"), float("nan")
    xs, ys = zip(*points)
    line = statistics.linear_regression(xs, ys)
    rest = sum((y - line.slope * x - line.intercept) ** 2 for x, y in points)
    spread = sum((x - statistics.fmean(xs)) ** 2 for x in xs)
    return line.slope, (rest / (len(xs) - 2) / spread) ** 0.5
