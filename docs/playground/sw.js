// Keeps the page's own files, so that it works without a network. FILES and NAME are written by build.py.
const NAME = "rocecfg-@VERSION@";
const FILES = @FILES@;

addEventListener("install", (event) => event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES)).then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name.startsWith("rocecfg-") && name !== NAME) await caches.delete(name);
  await clients.claim();
})()));
addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && new URL(event.request.url).origin === location.origin) {
    event.respondWith(caches.match(event.request, { ignoreSearch: true }).then((kept) => kept ?? fetch(event.request)));
  }
});
