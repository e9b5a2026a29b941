// Two pictures on top of each other, parted by a line, faded into each other, or their difference.

export function comparePictures(holder) {
  const stage = holder.querySelector("[data-stage]");
  const control = holder.querySelector("[data-slide]");

  /** `share` is how much of A is shown, in percent. */
  function set(share) {
    const value = Math.min(100, Math.max(0, share));
    control.value = value;
    stage.style.setProperty("--at", `${value}%`);
    stage.style.setProperty("--share", value / 100);
  }

  const follow = ({ clientX }) => {
    const box = stage.getBoundingClientRect();
    set((100 * (clientX - box.left)) / box.width);
  };
  stage.addEventListener("pointerdown", (event) => {
    if (holder.dataset.pictures !== "slide" || event.button !== 0) return;
    event.preventDefault();
    stage.setPointerCapture(event.pointerId);
    follow(event);
    stage.addEventListener("pointermove", follow);
    stage.addEventListener("lostpointercapture", () => stage.removeEventListener("pointermove", follow), { once: true });
    control.focus({ focusVisible: false });
  });
  control.addEventListener("input", () => set(Number(control.value)));
  set(50);

  return {
    show(mode) {
      holder.dataset.pictures = mode;
      control.disabled = mode !== "slide" && mode !== "fade";
    },
  };
}
