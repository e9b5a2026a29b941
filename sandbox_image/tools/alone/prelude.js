// The files that the page loads while it runs are in here.
(() => {
  const files = FILES;
  const folder = new URL(".", document.baseURI).href;
  const found = (address) => {
    try {
      const url = new URL(address, document.baseURI);
      url.search = url.hash = "";
      if (!url.href.startsWith(folder)) return;
      const name = decodeURIComponent(url.href.slice(folder.length));
      return Object.hasOwn(files, name) ? files[name] : undefined;
    } catch {
      return;
    }
  };
  const { fetch, Audio, Worker } = window;
  window.fetch = (resource, options) => {
    const data = found(resource instanceof Request ? resource.url : resource);
    return data ? fetch(data) : fetch(resource, options);
  };
  const { open } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.open = function (method, address, ...rest) {
    return open.call(this, method, found(address) ?? address, ...rest);
  };
  for (const [Kind, name] of [
    [HTMLImageElement, "src"], [HTMLMediaElement, "src"], [HTMLSourceElement, "src"],
    [HTMLVideoElement, "poster"], [HTMLScriptElement, "src"], [HTMLLinkElement, "href"],
  ]) {
    const own = Object.getOwnPropertyDescriptor(Kind.prototype, name);
    Object.defineProperty(Kind.prototype, name, {
      ...own,
      set(address) { own.set.call(this, found(address) ?? address); },
    });
  }
  const { setAttribute } = Element.prototype;
  Element.prototype.setAttribute = function (name, value) {
    const data = ["src", "href", "poster"].includes(name) && this.localName !== "a" && found(value);
    return setAttribute.call(this, name, data || value);
  };
  window.Audio = function (address) {
    return address === undefined ? new Audio() : new Audio(found(address) ?? address);
  };
  window.Audio.prototype = Audio.prototype;
  window.Worker = function (address, options) {
    return new Worker(found(address) ?? address, options);
  };
  window.Worker.prototype = Worker.prototype;
})();
