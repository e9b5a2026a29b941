// Shows what the studio tells while none of its pages is looked at, and a page of its own while
// the studio can't be reached: that page and its styles are all that is kept.

const OFFLINE = "{% url 'notices:offline' %}";
const KEPT = {{ kept|safe }};
const CACHE = `offline {{ language }} ${KEPT.join(" ")}`;

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll([OFFLINE, ...KEPT])));
  // Nothing else waits for the worker to start, where the browser can tell it apart beforehand.
  const ours = [{ requestMode: "navigate" }, ...KEPT.map((path) => ({ urlPattern: path }))];
  event.addRoutes?.({ condition: { not: { or: ours } }, source: "network" }).catch(() => {});
});

self.addEventListener("activate", (event) => {
  const others = (names) => names.filter((name) => name !== CACHE);
  event.waitUntil(caches.keys().then((names) => Promise.all(others(names).map((name) => caches.delete(name)))));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate" && request.method === "GET") {
    event.respondWith(fetch(request).catch(() => caches.match(OFFLINE)));
  } else if (KEPT.includes(new URL(request.url).pathname)) {
    event.respondWith(fetch(request).catch(() => caches.match(request)));
  }
});

self.addEventListener("push", (event) => {
  const { title, body, tag, url } = event.data.json();
  event.waitUntil(
    self.clients.matchAll({ type: "window", includeUncontrolled: true }).then((pages) => {
      // Who looks at the page sees it.
      const seen = pages.some((page) => page.visibilityState === "visible" && new URL(page.url).pathname === url);
      return seen || self.registration.showNotification(title, { body, tag, data: { url } });
    }),
  );
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const { url } = event.notification.data;
  event.waitUntil(
    self.clients.matchAll({ type: "window", includeUncontrolled: true }).then((pages) => {
      const open = pages.find((page) => new URL(page.url).pathname === url);
      return open ? open.focus() : self.clients.openWindow(url);
    }),
  );
});
