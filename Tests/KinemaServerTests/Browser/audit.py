"""Whether all controls have a name and are large enough to be touched, and what axe-core finds."""


def axe_findings(browser, script):
    """What axe-core finds on the page, once what moves has come to rest."""
    browser.later("""
      const done = arguments[0];
      const ending = document.getAnimations().filter(({effect}) =>
        effect.getComputedTiming().endTime !== Infinity);
      Promise.allSettled(ending.map(({finished}) => finished)).then(() => done());""")
    browser.run(script)
    found = browser.later("""
      const done = arguments[0];
      axe.run(document).then(({violations}) => done(violations));""")
    return [f"axe-core: {item['id']} at {item['nodes'][0]['html'][:120]}" for item in found]


def audit(browser, where, axe=None):
    """Controls without a name or with less than 44 pixels, by id, elements with a name that their
    role cannot have, and what axe-core finds.

    `axe` is the path of axe.min.js; without it, axe-core is left out.
    """
    problems = browser.run("""
      const root = document.querySelector("dialog[open]") ?? document;
      return [...root.querySelectorAll("button, select, a[href], input, summary")]
        .filter((control) => !control.disabled && control.checkVisibility()
          && (root !== document || !control.closest("dialog")))
        .flatMap((control) => {
          const target = control.matches("input") ? control.closest("label")
            ?? control.labels?.[0] ?? control : control;
          const name = control.id || control.textContent.trim() || control.outerHTML.slice(0, 60);
          const box = (control.matches("input.visually-hidden") || control.matches("[role=switch]")
            ? target : control).getBoundingClientRect();
          return box.height < 43.5 || box.width < 43.5
            ? [`${name} is ${Math.round(box.width)} by ${Math.round(box.height)}`] : [];
        });""")
    roles = {"button", "link", "combobox", "checkbox", "switch", "textbox", "spinbutton", "slider",
             "dialog", "meter", "image"}
    for node in browser.send("Accessibility.getFullAXTree")["nodes"]:
        role = node.get("role", {}).get("value")
        if node.get("ignored") or role not in roles or node.get("name", {}).get("value"):
            continue
        problems.append(f"a {role} has no name")
    # https://www.w3.org/TR/wai-aria-1.2/#namefromprohibited; axe-core finds only those without text.
    problems += browser.run("""
      const tags = "p, div, span, b, i, em, strong, code, sub, sup, ins, del, caption, figcaption, label";
      return [...document.querySelectorAll("[aria-label], [aria-labelledby]")]
        .filter((element) => element.matches(tags) && !element.hasAttribute("role"))
        .map((element) => `${element.id || element.outerHTML.slice(0, 60)} cannot have a name`);""")
    if axe:
        with open(axe, encoding="utf-8") as file:
            problems += axe_findings(browser, file.read())
    return [f"{where}: {problem}" for problem in problems]
