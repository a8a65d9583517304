/** How many ids the table keeps; the oldest go first. */
export const ROW_LIMIT = 500;

/** The ids seen since the page was opened, newest first. Holds no elements of the page. */
export class History {
  #rows = [];
  #dropped = 0;

  get rows() {
    return this.#rows;
  }

  /** How many rows went because of the limit. */
  get dropped() {
    return this.#dropped;
  }

  /** Adds rows that came oldest first; gives back those that went to make room. */
  add(rows) {
    this.#rows = [...rows].reverse().concat(this.#rows);
    const gone = this.#rows.splice(ROW_LIMIT);
    this.#dropped += gone.length;
    return gone;
  }

  find(id) {
    return this.#rows.find((row) => row.id === id);
  }
}
