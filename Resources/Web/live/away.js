// @ts-check
/** Asks for the server until it is back, and then loads the page. */

/**
 * The texts, in the languages of the other pages; this one can load nothing.
 *
 * @type {Record<string, [title: string, text: string, again: string]>}
 */
const texts = {
  en: ["Kinema’s server is away", "This page comes back by itself once the computer that runs Kinema is on, runs "
    + "{command}, and is in the same network.", "Try again"],
  de: ["Der Server von Kinema ist nicht da", "Diese Seite kommt von selbst zurück, sobald der Computer mit Kinema an "
    + "ist, {command} läuft und er im selben Netz ist.", "Erneut versuchen"],
  fr: ["Le serveur de Kinema est absent", "Cette page revient d’elle-même dès que l’ordinateur de Kinema est allumé, "
    + "exécute {command} et se trouve sur le même réseau.", "Réessayer"],
  es: ["El servidor de Kinema no está", "Esta página vuelve por sí sola cuando el ordenador de Kinema está encendido, "
    + "ejecuta {command} y está en la misma red.", "Reintentar"],
  pt: ["O servidor do Kinema não está", "Esta página volta sozinha quando o computador do Kinema está ligado, executa "
    + "{command} e está na mesma rede.", "Tentar de novo"],
  ja: ["Kinemaのサーバーに接続できません", "Kinemaのコンピューターの電源が入り、同じネットワークで{command}が実行されると、"
    + "このページは自動的に戻ります。", "再試行"],
  zh: ["无法连接 Kinema 服务器", "运行 Kinema 的电脑开机、执行 {command} 并位于同一网络后，本页会自动恢复。", "重试"],
};

const language = navigator.languages.map((name) => name.split("-")[0].toLowerCase()).find((name) => name in texts);
if (language && language !== "en") {
  const [title, text, name] = texts[language];
  document.documentElement.lang = language;
  const [before, after] = text.split("{command}");
  const command = document.createElement("code");
  command.textContent = "kinema live";
  document.getElementById("away-title")?.replaceChildren(title);
  document.getElementById("away-text")?.replaceChildren(before, command, after);
  document.getElementById("away-again")?.replaceChildren(name);
}

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
