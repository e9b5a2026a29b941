// The signed addresses of files hold for some hours; a page may stay open for longer.

const OLD = 5 * 3_600_000; // milliseconds; a little less than the addresses hold

/** Calls `renew` when somebody comes back to the page after its addresses have grown old. */
export function whenOld(renew) {
  let begun = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || Date.now() - begun < OLD) return;
    begun = Date.now();
    renew();
  });
}
