// A plain script in the head, not a module: it must run before the first paint, or a dark page flashes white.
(() => {
  "use strict";
  const KEY = "idgen.theme";
  const root = document.documentElement;
  const system = window.matchMedia("(prefers-color-scheme: dark)");

  // A browser that keeps nothing for this page throws here; the choice then lasts as long as the page.
  function remember(choice) {
    try {
      if (choice === null) localStorage.removeItem(KEY);
      else localStorage.setItem(KEY, choice);
    } catch (blocked) {
      return;
    }
  }

  function remembered() {
    try {
      const choice = localStorage.getItem(KEY);
      return choice === "dark" || choice === "light" ? choice : null;
    } catch (blocked) {
      return null;
    }
  }

  function isDark() {
    return root.dataset.theme ? root.dataset.theme === "dark" : system.matches;
  }

  function show(choice) {
    if (choice === null) delete root.dataset.theme;
    else root.dataset.theme = choice;
    const button = document.getElementById("theme");
    if (button === null) return;
    button.setAttribute("aria-pressed", String(isDark()));
  }

  // Choosing what the system says anyway means following the system again.
  function toggle() {
    const wanted = isDark() ? "light" : "dark";
    const choice = (wanted === "dark") === system.matches ? null : wanted;
    remember(choice);
    show(choice);
  }

  show(remembered());
  system.addEventListener("change", () => show(remembered()));
  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme").addEventListener("click", toggle);
    show(remembered());
  });
})();
