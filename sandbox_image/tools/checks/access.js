// What keeps people out of the page, as axe-core tells it: {violations: [{rule, help, number, example}]}.
(async () => {
  const rules = RULES;
  // What fades in is judged as it will be.
  for (const animation of document.getAnimations()) {
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  }
  const { violations } = await axe.run(document, {
    runOnly: { type: "rule", values: rules }, resultTypes: ["violations"], iframes: false, selectors: false,
  });
  return violations.filter(({ impact }) => impact === "serious" || impact === "critical").map(
    ({ id, help, nodes }) => ({ rule: id, help, number: nodes.length, example: nodes[0].html }),
  );
})()
