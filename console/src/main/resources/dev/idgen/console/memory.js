/** Keeps a choice in this browser. One that keeps nothing throws; the choice then lasts as long as the page. */
export function remember(key, value) {
  try {
    localStorage.setItem(key, value);
  } catch (blocked) {
    return;
  }
}

/** The choice kept under that name, or null. */
export function recall(key) {
  try {
    return localStorage.getItem(key);
  } catch (blocked) {
    return null;
  }
}
