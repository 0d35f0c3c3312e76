import { mkdtemp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  resolveRealPath,
  removeFile,
  removeFolder,
  waitOut,
  writeText,
} from '../../../src/core/outputs/changeFile';
import { NodeFolder } from '../../../src/core/outputs/nodeFolder';
import { replaceWhole, writeWhole } from '../../../src/core/outputs/writeWhole';

/** What the next calls answer instead of what they do: an error code each, `ever` for all. */
const answers = vi.hoisted(() => new Map<string, { code: string; times: number }>());

vi.mock(import('node:fs/promises'), async (original) => {
  const real = await original();
  const fail = (call: string): void => {
    const answer = answers.get(call);
    if (!answer || answer.times-- <= 0) return;
    throw Object.assign(new Error(answer.code), { code: answer.code });
  };
  return {
    ...real,
    rename: async (...given) => (fail('rename'), real.rename(...given)),
    link: async (...given) => (fail('link'), real.link(...given)),
    writeFile: async (...given) => (fail('writeFile'), real.writeFile(...given)),
    unlink: async (...given) => (fail('unlink'), real.unlink(...given)),
    realpath: (async (file: string) => (fail('realpath'), real.realpath(file))) as typeof real.realpath,
  };
});

/** How long all was waited for, ms, without the time. */
const waited = vi.hoisted(() => ({ ms: 0 }));

vi.mock(import('../../../src/core/client/timing'), async (original) => ({
  ...(await original()),
  abortableSleep: (ms: number) => {
    waited.ms += ms;
    return Promise.resolve();
  },
}));

const ever = Number.POSITIVE_INFINITY;
const passing = ['EPERM', 'EACCES', 'EBUSY'];
const text = new TextEncoder().encode('text');

function answer(call: string, code: string, times: number): void {
  answers.set(call, { code, times });
}

async function folderHere(): Promise<{ root: string; folder: NodeFolder }> {
  const root = await mkdtemp(path.join(tmpdir(), 'windows-'));
  onTestFinished(() => removeFolder(root));
  return { root, folder: new NodeFolder(root) };
}

const platform = Object.getOwnPropertyDescriptor(process, 'platform');

function onSystem(value: NodeJS.Platform): void {
  Object.defineProperty(process, 'platform', { ...platform, value });
}

beforeEach(() => onSystem('win32'));
afterEach(() => {
  answers.clear();
  if (platform) Object.defineProperty(process, 'platform', platform);
});

describe('on Windows, what is refused for a moment', () => {
  it.each(passing)('is done when it can be, after %s', async (code) => {
    const { root, folder } = await folderHere();
    await writeFile(path.join(root, 'a.run.json'), 'old');
    answer('rename', code, 4);
    await replaceWhole(folder, 'a.run.json', text);
    expect(await readFile(path.join(root, 'a.run.json'), 'utf8')).toBe('text');
    answer('link', code, 3);
    answer('unlink', code, 3);
    await writeWhole(folder, 'a.png', text);
    answer('writeFile', code, 3);
    await writeText(path.join(root, 'sheet.md'), 'text');
    expect(await readFile(path.join(root, 'sheet.md'), 'utf8')).toBe('text');
    expect((await readdir(root)).sort()).toEqual(['a.png', 'a.run.json', 'sheet.md']);
    answer('realpath', code, 3);
    expect(await resolveRealPath(root)).toBe(await resolveRealPath(path.join(root, '.')));
    expect(answers.get('realpath')?.times).toBeLessThan(0);
  });

  it.each([
    ['rename', 'EACCES'],
    ['link', 'EBUSY'],
    ['link', 'EACCES'],
  ])('and goes on being refused leaves nothing half done: %s answers %s for ever', async (call, code) => {
    const { root, folder } = await folderHere();
    await writeFile(path.join(root, 'a.run.json'), 'old');
    answer(call, code, ever);
    const put = call === 'rename' ? replaceWhole : writeWhole;
    const reason = code === 'EBUSY' ? 'other' : 'notWritable';
    const name = call === 'rename' ? 'a.run.json' : 'a.png';
    await expect(put(folder, name, text)).rejects.toMatchObject({ reason });
    expect(await readdir(root)).toEqual(['a.run.json']);
    expect(await readFile(path.join(root, 'a.run.json'), 'utf8')).toBe('old');
  });

  it.each(['EPERM', 'EBUSY'])('does not lose what was written: unlink answers %s for ever', async (code) => {
    const { root, folder } = await folderHere();
    answer('unlink', code, ever);
    await writeWhole(folder, 'a.png', text);
    expect(await readFile(path.join(root, 'a.png'), 'utf8')).toBe('text');
    answers.clear();
  });

  it.each(passing)('and goes on being refused is said as it is: realpath answers %s', async (code) => {
    const { root } = await folderHere();
    answer('realpath', code, ever);
    await expect(resolveRealPath(root)).rejects.toMatchObject({ code });
  });

  it('and goes on being refused is an error after about two seconds', async () => {
    const { folder } = await folderHere();
    answer('rename', 'EPERM', ever);
    waited.ms = 0;
    await expect(replaceWhole(folder, 'a.run.json', text)).rejects.toMatchObject({ reason: 'notWritable' });
    expect(waited.ms).toBeGreaterThan(1_900);
    expect(waited.ms).toBeLessThan(2_500);
  });

  it('is waited for only if it can pass', async () => {
    let tries = 0;
    const missing = (): Promise<never> => {
      tries++;
      return Promise.reject(Object.assign(new Error('no'), { code: 'ENOENT' }));
    };
    await expect(waitOut(missing)).rejects.toThrow('no');
    expect(tries).toBe(1);
  });
});

it('elsewhere a refusal is one at once', async () => {
  onSystem('linux');
  const { root } = await folderHere();
  answer('unlink', 'EPERM', 1);
  await expect(removeFile(path.join(root, 'a'))).rejects.toMatchObject({ code: 'EPERM' });
});

describe.each(['win32', 'linux'] as const)('a disk without hard links, on %s', (system) => {
  it.each(['EISDIR', 'EPERM', 'ENOTSUP', 'EINVAL'])('that answers %s is written to', async (code) => {
    onSystem(system);
    const { root, folder } = await folderHere();
    answer('link', code, ever);
    await writeWhole(folder, 'a.png', text);
    await expect(writeWhole(folder, 'a.png', text)).rejects.toMatchObject({ reason: 'exists' });
    expect(await readdir(root)).toEqual(['a.png']);
    expect(await readFile(path.join(root, 'a.png'), 'utf8')).toBe('text');
  });
});

it('a RAM disk that cannot tell real paths is asked link by link', async () => {
  const { root } = await folderHere();
  await writeFile(path.join(root, 'a'), '');
  await symlink(path.join(root, 'a'), path.join(root, 'b'));
  const real = await resolveRealPath(path.join(root, 'a'));
  answer('realpath', 'EISDIR', ever);
  expect(await resolveRealPath(path.join(root, 'b'))).toBe(real);
  await expect(resolveRealPath(path.join(root, 'c'))).rejects.toMatchObject({ code: 'ENOENT' });
});
