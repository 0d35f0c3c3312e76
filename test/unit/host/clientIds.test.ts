import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ClientIds } from '../../../src/host/servers/clientIds';

/** No process has this ID. */
const gone = 2 ** 30;
const server = 'http://127.0.0.1:8188';

describe('the client ID of a window', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'client-ids-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const storage = {
    path: (name: string) => path.join(folder, name),
    read: (name: string) => Promise.resolve(readFileSync(path.join(folder, name), 'utf8')),
    write: (name: string, text: string) => writeFile(path.join(folder, name), text),
    remove: (name: string) => rm(path.join(folder, name)),
    list: (prefix: string) =>
      Promise.resolve(
        readdirSync(folder)
          .filter((name) => name.startsWith(prefix))
          .map((name) => ({ name, writtenAt: statSync(path.join(folder, name)).mtimeMs })),
      ),
  };
  const window = (writer: string, startedAt = 0, workspace = 'w'): ClientIds =>
    new ClientIds(storage, workspace, writer, startedAt);

  it('is the same for every session with a server, and another for another server', async () => {
    const ids = window(`${process.pid}-me`);
    const first = await ids.of(server);
    expect(await ids.of(server)).toBe(first);
    expect(await ids.of('http://127.0.0.1:8189')).not.toBe(first);
  });

  it('goes to the next window of the workspace, whether this one ended or was killed', async () => {
    const killed = await window(`${gone}-killed`).of(server);
    const next = window(`${process.pid}-next`);
    expect(await next.of(server)).toBe(killed);
    await next.leave();
    expect(await window(`${process.pid}-last`).of(server)).toBe(killed);
    expect(readdirSync(folder)).toHaveLength(1);
  });

  it('belongs to one window at a time, and to one workspace', async () => {
    const killed = await window(`${gone}-killed`).of(server);
    expect(await window(`${process.pid}-x`, 0, 'other').of(server)).not.toBe(killed);
    const two = await Promise.all(['one', 'two'].map((each) => window(`${process.pid}-${each}`).of(server)));
    expect(two.filter((each) => each === killed)).toHaveLength(1);
    expect(await window(`${process.pid}-three`).of(server)).not.toBe(killed);
  });

  it('is waited for while the window before this one closes', async () => {
    const before = window(`${process.pid}-before`);
    const id = await before.of(server);
    const after = window(`${process.pid}-after`, Date.now()).of(server);
    setTimeout(() => void before.leave(), 150);
    expect(await after).toBe(id);
  });

  it('is a new one if nothing can be read or written', async () => {
    const broken = { ...storage, list: () => Promise.reject(new Error('No storage')) };
    expect(await new ClientIds(broken, 'w', '1-x', 0).of(server)).toMatch(/^[0-9a-f-]{36}$/);
  });
});
