"""Whether the wireframe is drawn where the server found the person, measured on the pixels."""

# The position on the canvas of a position in a frame's picture, as in stage.js.
PLACE = """
const [W, H] = [stage.width, stage.height];
const [fit, fill] = [Math.min, Math.max].map((choose) => choose(W / frame.width, H / frame.height));
const cut = 1 - (W * H) / (frame.width * frame.height * fill * fill);
const scale = cut < 0.13 ? fill : fit;
const [width, height] = [frame.width * scale, frame.height * scale];
const room = 4.8 * parseFloat(getComputedStyle(document.documentElement).fontSize)
  * Math.min(devicePixelRatio, 2);
const [left, middle] = [(W - width) / 2, (H - height) / 2];
const top = H > W && scale === fit ? Math.min(middle, room) : middle;
const isMirrored = document.getElementById("mirror-button").getAttribute("aria-pressed") === "true";
const place = ([x, y]) => [left + (isMirrored ? 1 - x : x) * width, top + (1 - y) * height];
"""

# Arms and legs, or fingers: the two joints' numbers and colours, as the server gives them.
LIMBS = """
  return fetch("/api/v1/info").then((answer) => answer.json()).then(({ wireframes }) => {
    const { joints, limbs } = wireframes[arguments[0]];
    return limbs.filter(([, to]) => /Elbow|Wrist|Knee|Ankle|IP|Tip/.test(joints[to].name))
      .map(([from, to]) => [from, to, joints[from].color, joints[to].color]);
  });"""

PROBE = """
const stage = document.getElementById("stage");
const frame = window.kinemaFrames.get(Number(stage.dataset.sequence));
if (!frame || stage.dataset.overlay !== "glued") return null;
const person = frame.persons.find(({ id }) => id === frame.prominent);
if (!person) return null;
""" + PLACE + """
const channels = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
const context = stage.getContext("2d");
const matches = (shift) => {
  let [checked, found] = [0, 0];
  for (const [from, to, a, b] of arguments[1]) {
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


def measure(browser, wireframe="body", samples=12):
    """How many limbs are drawn where the server found them, and how many next to that."""
    limbs = browser.run(LIMBS, wireframe)
    there, beside, sequences = [0, 0], [0, 0], set()
    for _ in range(samples):
        probe = browser.wait("a person in the next picture", f"""
          const probe = (function () {{ {PROBE} }}).apply(null, arguments);
          return probe && !arguments[0].includes(probe.sequence) ? probe : null;""",
                             list(sequences), limbs)
        sequences.add(probe["sequence"])
        for total, part in ((there, probe["there"]), (beside, probe["beside"])):
            total[0] += part[0]
            total[1] += part[1]
    return {"limbs": there[0], "found": there[1], "limbsBeside": beside[0],
            "foundBeside": beside[1]}
