// @ts-check
/** Asks for the server until it is back, and then loads the page. */

/** How often it is asked, milliseconds. */
const interval = 3000;

const again = async () => {
  try {
    const { ok } = await fetch("/api/v1/info", { cache: "no-store" });
    if (ok) location.reload();
  } catch {
    // Still away.
  }
};

document.getElementById("away-again")?.addEventListener("click", () => location.reload());
setInterval(again, interval);
