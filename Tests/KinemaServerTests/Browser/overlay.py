"""Whether the wireframe lies where the server saw the person, judged by the pixels."""

# Where a place of a frame's picture is on the canvas, as stage.js has it.
PLACE = """
const [W, H] = [stage.width, stage.height];
const [fit, fill] = [Math.min, Math.max].map((choose) => choose(W / frame.width, H / frame.height));
const cut = 1 - (W * H) / (frame.width * frame.height * fill * fill);
const scale = cut < 0.13 ? fill : fit;
const [width, height] = [frame.width * scale, frame.height * scale];
const [left, top] = [(W - width) / 2, (H - height) / 2];
const isMirrored = document.getElementById("mirror-button").getAttribute("aria-pressed") === "true";
const place = ([x, y]) => [left + (isMirrored ? 1 - x : x) * width, top + (1 - y) * height];
"""

# Arms and legs: the two joints' numbers and the colours that skeleton.js gives them.
PROBE = """
const limbs = [
  [2, 3, "4cf0a8", "22cdeb"], [3, 4, "22cdeb", "2f7bff"], [5, 6, "ffd60a", "ff8a1f"],
  [6, 7, "ff8a1f", "ff2d6b"], [8, 9, "2edcc4", "2ba8ff"], [9, 10, "2ba8ff", "6c5cff"],
  [11, 12, "ffa424", "ff6b35"], [12, 13, "ff6b35", "ff2d9b"],
];
const stage = document.getElementById("stage");
const frame = window.kinemaFrames.get(Number(stage.dataset.sequence));
if (!frame || stage.dataset.overlay !== "glued") return null;
const person = frame.persons.find(({ id }) => id === frame.prominent);
if (!person) return null;
""" + PLACE + """
const channels = (hex) => [0, 2, 4].map((at) => parseInt(hex.slice(at, at + 2), 16));
const context = stage.getContext("2d");
const matches = (shift) => {
  let [checked, found] = [0, 0];
  for (const [from, to, a, b] of limbs) {
    const [start, end] = [person.joints[from], person.joints[to]];
    if (Math.min(start[2], end[2]) < 0.5) continue;
    const [p, q] = [place(start), place(end)];
    if (Math.hypot(p[0] - q[0], p[1] - q[1]) < 30) continue;
    const [x, y] = [(p[0] + q[0]) / 2 + shift * W, (p[1] + q[1]) / 2];
    if (x < 2 || y < 2 || x > W - 3 || y > H - 3) continue;
    checked += 1;
    const wanted = channels(a).map((value, index) => (value + channels(b)[index]) / 2);
    const { data } = context.getImageData(Math.round(x) - 1, Math.round(y) - 1, 3, 3);
    for (let at = 0; at < data.length; at += 4) {
      const off = Math.max(...wanted.map((value, index) => Math.abs(value - data[at + index])));
      if (off < 36) { found += 1; break; }
    }
  }
  return [checked, found];
};
return { sequence: frame.sequence, there: matches(0), beside: matches(0.12) };
"""


def measure(browser, samples=12):
    """How many limbs are drawn where the server saw them, and how many beside that."""
    there, beside, sequences = [0, 0], [0, 0], set()
    for _ in range(samples):
        probe = browser.wait("a person in the next picture", f"""
          const probe = (() => {{ {PROBE} }})();
          return probe && !arguments[0].includes(probe.sequence) ? probe : null;""",
                             list(sequences))
        sequences.add(probe["sequence"])
        for total, part in ((there, probe["there"]), (beside, probe["beside"])):
            total[0] += part[0]
            total[1] += part[1]
    return {"limbs": there[0], "found": there[1], "limbsBeside": beside[0],
            "foundBeside": beside[1]}
