const SAID_MS = 1500;

/** Copies a text and says so: on the button that was pressed, if one was, and to screen readers. */
export async function copy(text, status, button = null) {
  const done = await written(text);
  status.textContent = done ? `Copied ${text.includes("\n") ? "all ids" : text}` : "Copying is not allowed here";
  if (button !== null) flash(button, done ? "Copied" : "Not allowed");
}

async function written(text) {
  // Browsers offer the clipboard only on secure origins; a console opened by plain http elsewhere uses the old way.
  if (navigator.clipboard === undefined) return writtenBySelection(text);
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (denied) {
    return writtenBySelection(text);
  }
}

function writtenBySelection(text) {
  const before = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "offscreen";
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  before?.focus({ preventScroll: true });
  return done;
}

function flash(button, word) {
  if (button.dataset.word === undefined) button.dataset.word = button.textContent;
  button.textContent = word;
  button.classList.add("said");
  clearTimeout(Number(button.dataset.timer));
  button.dataset.timer = setTimeout(() => {
    button.textContent = button.dataset.word;
    button.classList.remove("said");
  }, SAID_MS);
}
