/**
 * Makes an element. Children are elements or text; text goes in as text nodes, so nothing that a server or a
 * person says can become markup. There is no other way in this page to put a value on it.
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/** The element with that id; its absence is a fault of the page. */
export function byId(id) {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`element: #${id} (expected: in index.html)`);
  return found;
}
