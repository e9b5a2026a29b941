// A player goes on where its source ran out. It may have been led to a bucket, at an address that
// is good for a minute: the page's own address leads to another one.

const REST = 10_000;
const tried = new WeakMap();

addEventListener(
  "error",
  (event) => {
    const media = event.target;
    const soon = Date.now() - (tried.get(media) ?? -REST) < REST;
    if (soon || media.error?.code !== MediaError.MEDIA_ERR_NETWORK) return;
    tried.set(media, Date.now());
    event.stopPropagation();
    const { currentTime, paused, playbackRate } = media;
    const goOn = () => {
      Object.assign(media, { currentTime, playbackRate });
      if (!paused) media.play().catch((error) => console.info(error));
    };
    media.addEventListener("loadedmetadata", goOn, { once: true });
    media.load();
  },
  { capture: true },
);
