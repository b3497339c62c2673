// The scans of all parcels: a file with one JSON line each, and the last scan of each parcel in memory.
import { open } from 'node:fs/promises';

export class ScanLog {
  #latest = new Map();
  #file;

  static async open(path) {
    const log = new ScanLog();
    log.#file = await open(path, 'a+');
    for await (const line of log.#file.readLines({ autoClose: false })) log.#remember(JSON.parse(line));
    return log;
  }

  /** A scan counts only once it is on disk: the courier gets its answer after the line was synced. */
  async append(scan) {
    await this.#file.appendFile(`${JSON.stringify(scan)}\n`);
    await this.#file.datasync();
    this.#remember(scan);
  }

  latest(parcel) {
    return this.#latest.get(parcel);
  }

  /** Couriers send scans late and out of order, so that the time on the scan decides. */
  #remember(scan) {
    const known = this.#latest.get(scan.parcel);
    if (!known || known.time < scan.time) this.#latest.set(scan.parcel, scan);
  }
}
