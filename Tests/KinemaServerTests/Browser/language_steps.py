"""Steps about the languages of the pages."""

import json
import re
from pathlib import Path

from browser import page
from language_rare import is_rare
from steps import expect

ROOT = Path(__file__).resolve().parents[3]
SIZES = {"phone": (390, 844), "desktop": (1440, 900)}
DIALOGS = ("summary", "history", "challenge", "settings", "help")

# All tables, beside the English ones: those of the pages, and the sentences that the server reports (/reported.js).
TABLES = """
  const done = arguments[arguments.length - 1];
  (async () => {
    const { languages } = await import("/shared/language.js");
    const names = ["live", "studio"];
    const tables = {};
    for (const tag of Object.keys(languages).filter((tag) => tag !== "en")) {
      const shared = await import(`/languages/${tag}/shared.js`);
      const pages = {};
      for (const page of names) {
        pages[page] = { ...(await import(`/languages/${tag}/${page}.js`)).texts };
      }
      const { texts: reported } = await import(`/languages/${tag}/reported.js`);
      tables[tag] = {shared: {...shared.texts}, reported: {...reported}, labels: {...shared.labels},
        cues: {...shared.cues}, pages};
    }
    const { messages } = await import("/shared/messages.js");
    const { reported } = await import("/reported.js");
    const pick = (texts, without) => Object.fromEntries(Object.entries(texts).filter(
      ([key, text]) => without[key] !== text));
    const english = {shared: pick(messages, reported), reported: {...reported}};
    for (const page of names) {
      english[page] = pick((await import(`/${page}/texts.js`)).texts, messages);
    }
    const { models } = await (await fetch("/api/v1/models")).json();
    return { english, tables, labels: models.flatMap(({ labels }) => labels) };
  })().then(done, (error) => done({ problem: String(error) }));"""

# What is too wide for its place, and what is cut off at the page's edge.
OVERFLOW = """
  const root = document.querySelector("dialog[open]") ?? document.body;
  const found = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility({ opacityProperty: true,
      visibilityProperty: true }) || element.closest("option, .visually-hidden, script, noscript, "
      + "[data-user]") || (root === document.body && element.closest("dialog"))) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    // The names of tools without room for them are for screen readers only.
    if (box.width === 0 || element.clientWidth === 1) continue;
    let [isScrolled, isLong] = [false, false];
    for (let at = element; at && at !== document.documentElement; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (["auto", "scroll"].includes(style.overflowX) && at.scrollWidth > at.clientWidth
        && !at.matches("dialog, .content, main, body")) isScrolled = true;
      if (["auto", "scroll"].includes(style.overflowY)) isLong = true;
      if (isScrolled || style.display === "inline" || style.display === "contents") continue;
      const place = at.getBoundingClientRect();
      const isTooWide = box.right > place.right + 1.5 || box.left < place.left - 1.5;
      const isCut = !isLong && style.overflowY === "hidden" && box.bottom > place.bottom + 1.5;
      if (isTooWide || isCut) {
        found.push(`“${node.data.trim()}” in ${at.id ? "#" + at.id : at.localName + "." + at.className}`
          + ` by ${Math.round(Math.max(box.right - place.right, place.left - box.left,
            box.bottom - place.bottom))} px`);
        break;
      }
    }
    if (!isScrolled && (box.right > innerWidth + 1.5 || box.left < -1.5)) {
      found.push(`“${node.data.trim()}” outside of the window`);
    }
  }
  return [...new Set(found)];"""

# What is not from the table of texts, in the pseudo-language: neither in brackets nor a number, a unit,
# a key, a name that its user or its model has, or a language's own name.
UNTRANSLATED = """
  const root = document.querySelector("dialog[open]") ?? document.body;
  const found = [];
  const own = "kbd, option[lang], #source-select option, #model-select option, noscript, script, style, "
    + "[data-user], #performance-list dd, .brand";
  // A date, such as a session's without a name, is the browser's own.
  const isDate = (text) => !Number.isNaN(Date.parse(text.split(" · ")[0].replace(" at ", " ")));
  const isPlain = (text) => !/[a-z]{3,}/i.test(text) || text.includes("⟦") || isDate(text);
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data, parentElement } = walker.currentNode;
    const isInText = parentElement.closest("p, li, span, label, button, dd, dt, h1, h2, h3")
      ?.textContent.includes("⟦");
    if (parentElement.checkVisibility() && !parentElement.closest(own) && !isInText
      && !isPlain(data.trim())) found.push(data.trim());
  }
  for (const element of root.querySelectorAll("[aria-label], [title], [placeholder]")) {
    if (element.closest(own)) continue;
    for (const name of ["aria-label", "title", "placeholder"]) {
      const text = element.getAttribute(name) ?? "";
      if (!isPlain(text)) found.push(`${name}: ${text}`);
    }
  }
  return [...new Set(found)];"""


# Values that are words in English, such as “30 seconds”: no other language quotes them.
WORDS = {"time"}


def values(text):
    """The values that a text has places for; words in the plural are no places."""
    return set(re.findall(r"\{(\w+)\}", text))


def needed(reported):
    """What the server reports in ordinary use, without the values that are English words."""
    return {key: re.sub("|".join(rf"\{{{word}\}}" for word in WORDS), "", text)
            for key, text in reported.items() if not is_rare(key)}


def cues(rules):
    """The cues in the rules of the form."""
    found = set()
    for value in rules.values():
        if isinstance(value, dict):
            found |= {value["say"]} if "say" in value else set()
            found |= cues(value)
    return found


def differences(tag, name, english, own):
    """Where a table and the English one differ in keys or values."""
    missing = sorted(english.keys() - own.keys())
    unknown = sorted(own.keys() - english.keys())
    return (
        [f'{tag}/{name}.js lacks "{key}": "{english[key]}"' for key in missing]
        + [f'{tag}/{name}.js has "{key}", which is not in English' for key in unknown]
        + [f'{tag}/{name}.js: "{key}" has {sorted(values(own[key]))}, not '
           f"{sorted(values(english[key]))}"
           for key in sorted(english.keys() & own.keys()) if values(own[key]) != values(english[key])]
        + [f'{tag}/{name}.js: "{key}" is empty' for key in sorted(english.keys() & own.keys())
           if english[key].strip() and not own[key].strip()])


def tables(options):
    """Each language has all texts with their values, also those of what the server reports, all built-in labels and all
    cues."""
    rules = json.loads((ROOT / "Resources/Form.json").read_text(encoding="utf-8"))
    with page(options, url=f"{options.url.rstrip('/')}/?language=en", camera=None) as browser:
        seen = browser.later(TABLES)
        expect("problem" not in seen, seen.get("problem"))
        problems = []
        for tag, table in seen["tables"].items():
            problems += differences(tag, "shared", seen["english"]["shared"], table["shared"])
            problems += differences(tag, "reported", needed(seen["english"]["reported"]), table["reported"])
            for name, texts in table["pages"].items():
                problems += differences(tag, name, seen["english"][name], texts)
            labels = set(seen["labels"]) | rules.keys()
            problems += [f'{tag}/shared.js lacks the label "{label}"'
                         for label in sorted(labels - table["labels"].keys())]
            problems += [f'{tag}/shared.js lacks the cue "{cue}"'
                         for cue in sorted(cues(rules) - table["cues"].keys())]
            problems += [f'{tag}/shared.js has the cue "{cue}", which nothing says'
                         for cue in sorted(table["cues"].keys() - cues(rules))]
    expect(not problems, "\n".join(problems))
    return {tag: {name: len(texts) for name, texts in table["pages"].items()}
            for tag, table in seen["tables"].items()}


def view(browser, options, tag, name):
    """What is wrong with what is shown, on both screens."""
    problems = []
    for screen, size in SIZES.items():
        browser.show(size=size, is_mobile=screen == "phone", is_calm=True)
        browser.later("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
        problems += [f"{tag}, {name}, {screen}: {found}" for found in browser.run(OVERFLOW)]
        browser.screenshot(options.out, f"language-{tag}-{name}-{screen}")
    if tag == "xx":
        problems += [f"{name} is not from the table: {found}" for found in browser.run(UNTRANSLATED)]
    return problems


def live_in(options, tag):
    """What is wrong on the live page in a language."""
    with page(options, url=f"{options.url.rstrip('/')}/?language={tag}", camera=None) as browser:
        shown = browser.run("return document.documentElement.lang")
        expect(shown == ("en" if tag == "xx" else tag), f"{tag} is shown as {shown}")
        problems = view(browser, options, tag, "start")
        browser.start("start-synthetic")
        problems += view(browser, options, tag, "live")
        for name in DIALOGS:
            browser.run("document.getElementById(arguments[0]).click()", f"{name}-button")
            browser.wait(f"the sheet {name}", """
              return document.getElementById(arguments[0]).open;""", f"{name}-dialog")
            problems += view(browser, options, tag, name)
            browser.run("document.querySelector('dialog[open]').close()")
        return problems + [f"{tag}: {error}" for error in browser.errors()]


def tags_of(browser):
    """The languages of the pages and the pseudo-language."""
    return browser.later("""
      const done = arguments[0];
      import("/shared/language.js").then(({ languages }) => done(Object.keys(languages)));""") + ["xx"]


def languages(options):
    """Every view and dialog has room for every language and for one half as long again, in which
    nothing is English."""
    with page(options, camera=None) as browser:
        tags = tags_of(browser)
    problems = [problem for tag in tags for problem in live_in(options, tag)]
    expect(not problems, "\n".join(problems))
    return {"languages": tags}


# The pages of a project of Studio.
PAGES = ("data", "montage", "record", "runs", "evaluation", "preview", "output")


def studio_in(options, tag, project):
    """What is wrong in Studio in a language."""
    address = f"{options.url.rstrip('/')}/studio/studio.html?language={tag}"
    with page(options, url=address, camera=None) as browser:
        problems = view(browser, options, tag, "projects")
        for name in PAGES:
            browser.run("location.hash = arguments[0]", f"#/{project}/{name}")
            browser.wait(f"the page {name}", """
              return document.body.dataset.page === arguments[0]
                && document.body.dataset.prepared === "true";""", name)
            problems += view(browser, options, tag, name)
        return problems + [f"{tag}: {error}" for error in browser.errors()]


def studio_languages(options):
    """Every page of Studio has room for every language and for one half as long again, in which
    nothing is English."""
    with page(options, camera=None) as browser:
        tags = tags_of(browser)
        project = browser.later("""
          const done = arguments[0];
          fetch("/api/v1/studio/projects", {method: "POST", body: JSON.stringify({name: "2"}),
            headers: {"content-type": "application/json"}}).then((answer) => answer.json())
            .then(({ id }) => done(id));""")
    problems = [problem for tag in tags for problem in studio_in(options, tag, project)]
    expect(not problems, "\n".join(problems))
    return {"languages": tags}


def chosen(options):
    """The language is the browser's first that is there, or the one of the settings; numbers, plurals,
    labels, cues and voices follow it."""
    address = options.url.rstrip("/") + "/"
    with page(options, url=address, camera=None) as browser:
        seen = browser.later("""
          const done = arguments[0];
          import("/shared/language.js").then(({ choose, bestVoice }) => done({
            first: choose(null, null, ["nl", "pt-PT", "de"]), script: choose(null, null, ["zh-CN"]),
            traditional: choose(null, null, ["zh-TW", "C", "fr-CA"]), none: choose(null, null, ["nl"]),
            preferred: choose(null, "ja", ["de"]), unknown: choose("tlh", "tlh", ["de"]),
            asked: choose("es", "ja", ["de"]),
            voice: bestVoice([{ lang: "zh-HK", default: true }, { lang: "zh_CN" }], "zh-Hans", "zh-CN").lang,
            region: bestVoice([{ lang: "pt-PT" }, { lang: "pt-BR" }], "pt", "pt-BR").lang,
            mute: bestVoice([{ lang: "en-US", default: true }], "de", "de") })).catch(
            (error) => done(String(error)));""")
        expected = {"first": "pt", "script": "zh-Hans", "traditional": "fr", "none": "en",
                    "preferred": "ja", "unknown": "de", "asked": "es", "voice": "zh_CN",
                    "region": "pt-BR", "mute": None}
        expect(seen == expected, f"{seen} instead of {expected}")
        browser.run("document.getElementById('start-settings').click()")
        browser.run("""
          const select = document.getElementById("setting-language");
          select.value = "fr";
          select.dispatchEvent(new Event("change"));""")
        browser.wait("the page in French", """
          return document.documentElement.lang === "fr" && document.body.dataset.prepared === "true"
            && document.getElementById("start-camera").innerText.includes("Démarrer");""")
        browser.reload()
        worded = browser.later("""
          const done = arguments[0];
          Promise.all([import("/live/texts.js"), import("/shared/format.js"),
            import("/shared/language.js")]).then(([{ t, reported }, { number, percent, words },
            { cueText }]) => done([t("repetitions", { n: 0 }), t("repetitions", { n: 2 }),
            number(1.5), percent(0.85), words("push_ups"), words("my_take"), cueText("Go lower."),
            cueText("Wave."),
            reported("error", { sourceInUse: { source: "Gym", then: "retry" } }, "Gym is used."),
            reported("error", { notStored: { part: "run", reason: "No space.",
              text: { noMemory: {} } } }, "The run cannot be stored."),
            reported("error", { ofAnotherVersion: {} }, "It is of another version.")]));""")
        expected = ["0 répétition", "2 répétitions", "1,5", "85\u202f%", "Pompes", "My Take",
                    "Descendez plus bas.", "Wave.",
                    "Gym est utilisée par un autre programme : fermez-le ; nouvel essai en cours.",
                    "L’essai : enregistrement impossible : Il n’y a pas assez de mémoire : fermez d’autres "
                    "programmes.", "It is of another version."]
        expect([text.replace("\u00a0", "\u202f") for text in worded] == expected,
               f"{worded} instead of {expected}")
    return {}


ALL = [tables, languages, studio_languages, chosen]
