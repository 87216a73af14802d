// Keeps the page and the judge, so that both work without a network. scripts/site fills in what there is.

/** @type {string[]} */ const FILES = /* files */ [];
const VERSION = "/* version */";

const worker = /** @type {any} */ (self);
const PLACE = `ludex ${worker.registration.scope} `;
const NAME = PLACE + VERSION;

worker.addEventListener("install", (/** @type {any} */ e) => {
  e.waitUntil(caches.open(NAME).then((kept) => kept.addAll(FILES)).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (/** @type {any} */ e) => {
  const old = (/** @type {string} */ name) => name.startsWith(PLACE) && name !== NAME;
  e.waitUntil(caches.keys().then((names) => Promise.all(names.filter(old).map((name) => caches.delete(name)))).then(() => worker.clients.claim()));
});

worker.addEventListener("fetch", (/** @type {any} */ e) => {
  if (e.request.method !== "GET" || new URL(e.request.url).origin !== location.origin) return;
  e.respondWith(caches.match(e.request, { cacheName: NAME, ignoreSearch: true }).then((hit) => hit ?? fetch(e.request)));
});
