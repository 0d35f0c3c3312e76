export const day = 24 * 3600 * 1000;

/** Files in memory, each with the date when it was written. */
export class MemoryStorage {
  readonly files = new Map<string, { text: string; writtenAt: number }>();
  today = 0;

  read(name: string): Promise<string | undefined> {
    return Promise.resolve(this.files.get(name)?.text);
  }

  write(name: string, text: string): Promise<void> {
    this.files.set(name, { text, writtenAt: this.today * day });
    return Promise.resolve();
  }

  remove(name: string): Promise<void> {
    this.files.delete(name);
    return Promise.resolve();
  }

  list(prefix: string): Promise<{ name: string; writtenAt: number }[]> {
    const found = [...this.files].filter(([name]) => name.startsWith(prefix));
    return Promise.resolve(found.map(([name, { writtenAt }]) => ({ name, writtenAt })));
  }
}
