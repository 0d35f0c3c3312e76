import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { executableEndings, filesSavedAsText } from '../../../src/core/outputs/neutralEnding';
import { outputName, isSafeSegment } from '../../../src/core/outputs/outputNames';
import { saveAlone } from '../../support/saveAlone';
import type { OutputFile } from '../../../src/core/protocol/outputFile';
import { storedElsewhere } from '../jobs/observations';
import { MemoryFolder } from './memoryFolder';
import { unchanged } from '../../support/unchanged';

function output(filename: string, more: Partial<OutputFile> = {}): OutputFile {
  return { filename, subfolder: '', area: 'output', nodeId: '9', media: 'other', ...more };
}

const named = (filename: string) => outputName('w', output(filename));

describe('an output that a desktop would run', () => {
  it.each([
    ['setup.exe', 'w-setup.exe.txt'],
    ['photo.png.bat', 'w-photo.png.bat.txt'],
    ['a.searchConnector-ms', 'w-a.searchConnector-ms.txt'],
    ['a.exe. . .', 'w-a.exe.txt'],
    ['a.exe\u00a0', 'w-a.exe.txt'],
    ['a.exe\u2800\u3164', 'w-a.exe.txt'],
    ['a.\u200bexe', 'w-a.exe.txt'],
    ['photo\u202egnp.exe', 'w-photognp.exe.txt'],
    ['a\uff0e\uff45\uff58\uff45', 'w-a\uff0e\uff45\uff58\uff45.txt'],
    ['a.\uff45xe', 'w-a.\uff45xe.txt'],
    ['a.exe:stream', 'w-a.exe_stream'],
    ['a.exe::$DATA', 'w-a.exe__$DATA.txt'],
    ['.sh', 'w-sh'],
    ['con.bat', 'w-_con.bat.txt'],
  ])('named %j is saved as %j', (name, expected) => {
    expect(named(name)).toBe(expected);
  });

  it.each([...executableEndings])('does not keep the extension .%s', (ending) => {
    expect(named(`a.${ending}`)).toBe(`w-a.${ending}.txt`);
    expect(named(`a.${ending.toUpperCase()} `)).toBe(`w-a.${ending.toUpperCase()}.txt`);
  });

  it("gets .txt under the node's name for it too, and when the name is shortened", () => {
    const hash = 'a'.repeat(64);
    expect(outputName('w', output(`${hash}.exe`, { displayName: 'tool.exe' }))).toBe('w-tool.exe.txt');
    const long = named(`${'ä'.repeat(300)}.exe`);
    expect(long.endsWith('.exe.txt')).toBe(true);
    expect(isSafeSegment(long)).toBe(true);
  });

  it('does not keep the extension of a run record, so that no server can forge what is owed', () => {
    expect(named('a.run.json')).toBe('w-a.run.json.txt');
    expect(named('a.RUN.JSON. ')).toMatch(/\.txt$/);
    expect(named('run.json')).toBe('w-run.json');
  });

  it('does not keep the extension of a batch, so that no server can add rows to run', () => {
    expect(named('x.batch-run.json')).toBe('w-x.batch-run.json.txt');
    expect(named('x.Batch-Run.JSON. ')).toMatch(/\.txt$/);
    expect(named('x.batch.json')).toBe('w-x.batch.json.txt');
  });

  it('never keeps its own extension, however the name is spelled', () => {
    const odd = fc.constantFrom(
      '.',
      ' ',
      '\u200b',
      '\u202e',
      '\u00a0',
      '\uff0e',
      '\u3164',
      '/',
      ':',
      '\u0000',
    );
    const ending = fc.constantFrom(...executableEndings).map((text) => `.${text}`);
    const name = fc
      .array(fc.oneof(odd, ending, fc.string({ maxLength: 4 })), { maxLength: 12 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(name, (text) => {
        const last = /\.([^.]*)$/.exec(named(text).toLowerCase())?.[1] ?? '';
        expect(executableEndings.has(last)).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });

  it('is reported, so that the user can be told', async () => {
    const outputs = ['tool.exe', 'notes.txt', 'a.png'].map((name) => output(name));
    const saved = await saveAlone({
      job: { ...storedElsewhere('completed'), outputs },
      client: {
        view: () => Promise.resolve({ body: new Response('a').body ?? undefined, resumable: false }),
      } as never,
      folder: new MemoryFolder(),
      record: { hide: unchanged },
      signal: new AbortController().signal,
    });
    expect(filesSavedAsText(saved).map(({ file }) => file.filename)).toEqual(['tool.exe']);
  });
});

const kept = 'a.png a.svg a.html a.mp4 a.safetensors a.glb a.json a.txt a.csv a.exe.png a a.zip a.pdf';

it.each(kept.split(' '))('an output named %s keeps its extension', (name) => {
  expect(named(name)).toBe(`w-${name}`);
});
