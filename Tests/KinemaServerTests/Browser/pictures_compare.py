"""Compares pictures with the accepted ones, of which small copies are kept."""

import base64
import io
import json
import os
import subprocess

from PIL import Image, ImageChops, ImageDraw

# How many cells a small copy has: a cell is 19 pixels wide and high at 1440 × 900, half a button.
CELLS = 3600
# Values of colours are kept in steps of so many: half of it is lost.
STEP = 8
# A cell differs by more than so many of 255: a word of small text that is new, gone or moved is more, and what
# another rounding of a font changes is less.
TOLERANCE = 20
# The typefaces that the pages ask for first.
FAMILIES = ("system-ui", "sans-serif", "monospace")


def fonts():
    """The typefaces of this machine in which the pages are set, and the browser that sets them."""
    found = {family: subprocess.run(
        ["fc-match", "-f", "%{family} %{style} %{fontversion}", family], check=True, capture_output=True,
        text=True).stdout for family in FAMILIES}
    version = subprocess.run(["chromium", "--version"], check=True, capture_output=True, text=True).stdout
    found["browser"] = version.split(".")[0]
    return found


def small(picture):
    """The small copy of a picture."""
    width, height = picture.size
    columns = max(1, round((CELLS * width / height) ** 0.5))
    copy = picture.convert("RGB").resize((columns, max(1, round(columns * height / width))), Image.Resampling.BOX)
    return copy.point([value // STEP * STEP + STEP // 2 for value in range(256)] * 3)


class Accepted:
    """The accepted pictures: a line of JSON each, with the typefaces in which they are set."""

    def __init__(self, path):
        self.path = path
        found = {"fonts": {}, "pictures": {}}
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                found = json.load(file)
        self.fonts, self.pictures = found["fonts"], found["pictures"]

    def mismatch(self):
        """Why the pictures of this machine cannot be compared with these; empty where they can."""
        if not self.pictures:
            return "No pictures are accepted yet: run make pictures ACCEPT=yes."
        now = fonts()
        unlike = [f"{name} is {now.get(name)} here, not {there}" for name, there in self.fonts.items()
                  if now.get(name) != there]
        if unlike:
            return "The accepted pictures are set in other typefaces: " + "; ".join(unlike) + "."
        return ""

    def write(self, pictures):
        """Accepts these small copies in place of all."""
        lines = [f"  {json.dumps(name)}: {json.dumps(encode(copy))}" for name, copy in sorted(pictures.items())]
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(f'{{"fonts": {json.dumps(fonts())},\n"pictures": {{\n' + ",\n".join(lines) + "\n}}\n")

    def decoded(self):
        """The small copies by their names."""
        return {name: decode(text) for name, text in self.pictures.items()}

    def difference(self, name, copy):
        """The cells by which a small copy differs from the accepted one: left, top, right, bottom; None where it
        is like it."""
        accepted = decode(self.pictures[name])
        if accepted.size != copy.size:
            return (0, 0, *copy.size)
        channels = ImageChops.difference(accepted, copy).split()
        most = ImageChops.lighter(ImageChops.lighter(channels[0], channels[1]), channels[2])
        return most.point([255 if value > TOLERANCE else 0 for value in range(256)]).getbbox()

    def show(self, name, picture, box, path):
        """Writes the accepted copy and a picture side by side, with a frame around what differs."""
        copy = small(picture)
        width, height = picture.size
        sheet = Image.new("RGB", (2 * width + 20, height), "#888")
        sheet.paste(decode(self.pictures[name]).resize((width, height), Image.Resampling.NEAREST), (0, 0))
        sheet.paste(picture.convert("RGB"), (width + 20, 0))
        scale = width / copy.width
        frame = [round(value * scale) for value in box]
        draw = ImageDraw.Draw(sheet)
        for left in (0, width + 20):
            draw.rectangle((left + frame[0] - 3, frame[1] - 3, left + frame[2] + 3, frame[3] + 3),
                           outline="#f0f", width=4)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        sheet.save(path)
        return frame


def encode(copy):
    """A small copy as text."""
    data = io.BytesIO()
    copy.save(data, "WEBP", lossless=True, quality=100, method=6)
    return base64.b64encode(data.getvalue()).decode()


def decode(text):
    """The small copy of a text."""
    return Image.open(io.BytesIO(base64.b64decode(text))).convert("RGB")
