// @ts-check
/**
 * Shows a page of its own where the server is away, so that an installed app says what is missing. Nothing else is
 * kept: pages and pictures always come from the server.
 */

const cacheName = "kinema-away-1";
const away = "/away.html";

const worker = /** @type {any} */ (globalThis);

worker.addEventListener("install", (/** @type {any} */ event) => {
  event.waitUntil(caches.open(cacheName).then((cache) => cache.addAll([away, "/shared/icon.svg", "/live/away.css",
    "/live/away.js"])).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (/** @type {any} */ event) => {
  event.waitUntil(caches.keys().then((keys) => Promise.all(keys.filter((key) => key !== cacheName)
    .map((key) => caches.delete(key)))).then(() => worker.clients.claim()));
});

worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.mode === "navigate") {
    event.respondWith(fetch(request).catch(() => caches.match(away)));
  } else if (["/shared/icon.svg", "/live/away.css", "/live/away.js"].includes(new URL(request.url).pathname)) {
    event.respondWith(fetch(request).catch(() => caches.match(request)));
  }
});
