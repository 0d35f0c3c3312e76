import type { HttpStack } from '../../../src/core/client/httpStack';
import { isStampName } from '../../../src/core/outputs/ownerStamp';
import type { OutputFolder, OutputSink } from '../../../src/core/outputs/outputFolder';

/** Everything the program does to its disk and its server, up to the step at which it is killed. */
export class Life {
  #steps: number;
  #die: () => void = () => undefined;
  readonly died = new Promise<void>((resolve) => {
    this.#die = resolve;
  });

  constructor(steps: number) {
    this.#steps = steps;
  }

  /** One step before and one after: a kill falls in between. */
  async step<T>(act: () => Promise<T>): Promise<T> {
    await this.#live();
    const result = await act();
    await this.#live();
    return result;
  }

  async #live(): Promise<void> {
    if (this.#steps-- > 0) return;
    this.#die();
    await new Promise(() => undefined);
  }

  folder(folder: OutputFolder): OutputFolder {
    return {
      exists: (name) => this.step(() => folder.exists(name)),
      list: () => this.step(() => folder.list()),
      listFiles: () => this.step(() => folder.listFiles()),
      read: (name, limit) => this.step(() => folder.read(name, limit)),
      fingerprint: (name) => this.step(() => folder.fingerprint(name)),
      create: (name) => this.step(async () => this.#sink(await folder.create(name))),
      rename: (from, to) => this.step(() => folder.rename(from, to)),
      replace: (from, to) => this.step(() => folder.replace(from, to)),
      stamp: (name, text) => this.step(() => folder.stamp(name, text)),
      free: () => folder.free(),
      remove: (name) => this.step(() => folder.remove(name)),
      // Another life is another program, which has a stamp of its own.
      location: (name) => folder.location(name) + (isStampName(name) ? ' of a life' : ''),
    };
  }

  #sink(sink: OutputSink): OutputSink {
    return {
      write: (bytes) => this.step(() => sink.write(bytes)),
      sync: () => this.step(() => sink.sync()),
      close: () => this.step(() => sink.close()),
      get size() {
        return sink.size;
      },
    };
  }

  http(http: HttpStack): HttpStack {
    return { ...http, fetch: (url, init) => this.step(() => http.fetch(url, init)) };
  }
}
