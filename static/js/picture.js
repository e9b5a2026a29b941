// A picture that fits the window, or is zoomed with wheel, keys and buttons and moved by dragging.

const STEP = 1.25;
const SMALLEST = 0.05;
const LARGEST = 16;

export function zoomable(canvas) {
  const image = canvas.querySelector("img");
  const tools = document.querySelector("[data-tools]");
  const level = tools.querySelector(".zoom-level");
  let zoom = null; // null: fits the window

  const fitting = () => image.clientWidth / (image.naturalWidth || image.clientWidth || 1);

  function set(next, point) {
    const box = canvas.getBoundingClientRect();
    const [x, y] = point ?? [box.left + box.width / 2, box.top + box.height / 2];
    const before = image.getBoundingClientRect();
    const [across, down] = [(x - before.left) / before.width, (y - before.top) / before.height];
    zoom = next === null ? null : Math.min(LARGEST, Math.max(SMALLEST, next));
    canvas.toggleAttribute("data-fit", zoom === null);
    image.style.width = zoom === null ? "" : `${image.naturalWidth * zoom}px`;
    const after = image.getBoundingClientRect();
    canvas.scrollLeft += after.left + across * after.width - x;
    canvas.scrollTop += after.top + down * after.height - y;
    level.textContent = zoom === null ? level.dataset.fit : `${Math.round(zoom * 100)}%`;
  }

  const by = (factor, point) => set((zoom ?? fitting()) * factor, point);
  const actions = { in: () => by(STEP), out: () => by(1 / STEP), toggle: () => set(zoom === null ? 1 : null) };
  const keys = { "+": actions.in, "=": actions.in, "-": actions.out, 0: () => set(null), 1: () => set(1) };

  tools.addEventListener("click", ({ target }) => actions[target.closest("button")?.dataset.zoom]?.());
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !keys[event.key]) return;
    event.preventDefault();
    keys[event.key]();
  });
  canvas.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      by(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), [event.clientX, event.clientY]);
    },
    { passive: false },
  );
  canvas.addEventListener("dblclick", ({ clientX, clientY }) => set(zoom === null ? 1 : null, [clientX, clientY]));
  canvas.addEventListener("pointerdown", (event) => {
    if (zoom === null || event.button !== 0 || event.pointerType === "touch") return;
    canvas.setPointerCapture(event.pointerId);
    canvas.classList.add("dragging");
    const move = ({ movementX, movementY }) => canvas.scrollBy(-movementX, -movementY);
    canvas.addEventListener("pointermove", move);
    canvas.addEventListener(
      "lostpointercapture",
      () => {
        canvas.removeEventListener("pointermove", move);
        canvas.classList.remove("dragging");
      },
      { once: true },
    );
  });
  set(null);
}
