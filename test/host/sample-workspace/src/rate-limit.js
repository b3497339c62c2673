// How many scans a courier may send in a second. The window starts again with the first scan after its end.
export class RateLimit {
  #windows = new Map();
  #most;

  constructor(mostPerSecond) {
    this.#most = mostPerSecond;
  }

  allows(courier, now = Date.now()) {
    const window = this.#windows.get(courier);
    if (!window || now - window.start >= 1000) {
      this.#windows.set(courier, { start: now, count: 1 });
      return true;
    }
    window.count += 1;
    return window.count <= this.#most;
  }
}
