import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { printingTerminal, type Terminal } from '../../../src/cli/terminal';
import { readRunRecord } from '../../../src/core/records/runRecord';
import { Secrets } from '../../../src/core/safety/secrets';
import { hostileServer, type Hostility } from '../../support/hostileServer';
import { answering } from '../../support/sandboxFixture';
import { canaryKey, quotedForm, secretForms } from '../../support/secretForms';
import { CliWorld } from './cliWorld';
import { picture, worldWith } from './workflows';

const key = canaryKey('canary');
const env = { COMFY_KEY: key };
const withKey = ['--key-env', 'COMFY_KEY'];

/** Names and contents of all files below a folder, including `.part`. */
async function everyFile(folder: string): Promise<readonly (readonly [string, string])[]> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = names.filter((entry) => entry.isFile());
  return Promise.all(
    files.map(async ({ parentPath, name }) => {
      const text = await readFile(path.join(parentPath, name), 'latin1');
      return [path.relative(folder, path.join(parentPath, name)), text] as const;
    }),
  );
}

async function expectNoKey(world: CliWorld): Promise<void> {
  expect(quotedForm(world.out, key), world.out.slice(0, 2000)).toBeUndefined();
  expect(quotedForm(world.err, key), world.err.slice(0, 2000)).toBeUndefined();
  for (const [name, text] of await everyFile(world.path('out'))) {
    expect(quotedForm(name, key), name).toBeUndefined();
    expect(quotedForm(text, key), `${name}: ${text.slice(0, 2000)}`).toBeUndefined();
  }
}

const hostilities: readonly Hostility[] = [
  'completes',
  'fails',
  'failsInHistory',
  'refusesPrompt',
  'refusesAccount',
  'answersPlainText',
  'redirects',
  'redirectsFiles',
  'refusesFiles',
  'asksForPatience',
  'isNoServer',
];

/** What became of a run on such a server. */
async function ranOn(
  hostility: Hostility,
  dialect: 'local' | 'cloud' = 'local',
  workflow: object = picture,
  ...more: readonly string[]
) {
  const server = await hostileServer(key, hostility, dialect);
  onTestFinished(() => server.close());
  const world = await worldWith(workflow, env);
  const code = await world.save(server.url, ...withKey, '--force', ...more);
  return { server, world, code };
}

describe('a server that quotes the key', { timeout: 60_000 }, () => {
  for (const dialect of ['local', 'cloud'] as const) {
    for (const hostility of hostilities) {
      it.each([['--traceback'], ['--json']])(`${dialect}, ${hostility} %s`, async (...json) => {
        const { world, code } = await ranOn(hostility, dialect, picture, ...json);
        await expectNoKey(world);
        expect(code).toBe(hostility === 'completes' ? 0 : 1);
        // A web page is not shown.
        if (hostility !== 'isNoServer') expect(world.out + world.err).toContain('[hidden');
        if (json.includes('--json'))
          expect(world.events.at(-1)).toMatchObject({ event: 'end', exitCode: code });
      });
    }
  }

  it('gets its files asked for by their true names', async () => {
    const { server, world } = await ranOn('completes');
    expect([...server.fetched].sort()).toEqual([...new Set(server.names)].sort());
    const pictures = (await everyFile(world.path('out'))).filter(([name]) => name.endsWith('.png'));
    expect(pictures).toHaveLength(server.fetched.size);
  });

  for (const hostility of ['refusesFiles', 'redirectsFiles'] as const) {
    for (const dialect of ['local', 'cloud'] as const) {
      it.each([[], ['--json']])(
        `is asked for its files later: ${dialect}, ${hostility} %s`,
        async (...json) => {
          const { server, world } = await ranOn(hostility, dialect);
          const [record = ''] = (await everyFile(world.path('out'))).flatMap(([name]) => name);
          const { job = '' } = readRunRecord(await readFile(world.path(`out/${record}`), 'utf8')) ?? {};
          for (const command of ['jobs', 'fetch', 'wait', 'cancel']) {
            world.out = world.err = '';
            const what = command === 'jobs' ? [] : [job];
            const where = ['--out', world.path('out'), '--server', server.url, ...withKey];
            const code = await world.run(command, ...what, ...where, ...json);
            await expectNoKey(world);
            if (command === 'fetch' || command === 'wait') {
              expect(code, world.err).toBe(1);
              expect(world.out + world.err).toContain('[hidden');
            }
          }
        },
      );
    }
  }

  it.each(['local', 'cloud'] as const)(
    'gets the key in a header, not in the address of the socket, unless it is Comfy Cloud: %s',
    async (dialect) => {
      const { server } = await ranOn('completes', dialect);
      expect(server.upgrades.length).toBeGreaterThan(0);
      for (const { query, headers } of server.upgrades)
        expect([query.get('token'), headers['x-api-key']]).toEqual(
          dialect === 'cloud' ? [key, undefined] : [null, key],
        );
    },
  );

  it('gains nothing by invisible characters: they are removed before the key is searched for again', () => {
    const key = 'a"b+c-de';
    const secrets = new Secrets();
    secrets.add(key);
    let printed = '';
    const print = (text: string): void => void (printed += text);
    const raw: Partial<Terminal> = { out: print, err: print };
    const terminal = printingTerminal(raw as Terminal, secrets);
    terminal.out(`${Array.from(key).join('\u200B')}\n`);
    terminal.err(`${Array.from(key).join('\u00AD')}\n`);
    expect(printed).toBe('[hidden]\n[hidden]\n');
  });

  it('sends definitions that quote it', async () => {
    const server = await hostileServer(key, 'completes');
    onTestFinished(() => server.close());
    const unknown = { ...picture, 2: { class_type: 'SaveImage', inputs: { images: ['1', 0], more: key } } };
    for (const format of ['text', 'json', 'github']) {
      const world = await worldWith(unknown, env);
      const more = ['--server', server.url, ...withKey, '--format', format];
      await world.run('validate', world.path('w.json'), ...more);
      await expectNoKey(world);
      expect(world.out + world.err).not.toBe('');
    }
  });

  it('finds no key in the record of a workflow that contains it', async () => {
    const noted = { ...picture, 3: { class_type: 'Note', inputs: { key } } };
    const { server, world } = await ranOn('completes', 'local', noted);
    await expectNoKey(world);
    expect(server.arrivals.find(({ path: target }) => target === '/api/prompt')?.body).toContain(key);
  });
});

const forms = Object.values(secretForms).map((form) => form(key));
const third = Math.ceil(forms.length / 3);
const words = [0, 1, 2].map((part) => forms.slice(part * third, (part + 1) * third).join(' | '));

describe('a music service that quotes the key', { timeout: 60_000 }, () => {
  const audio = Buffer.from('not really audio').toString('base64');
  const streams: Readonly<Record<string, readonly object[]>> = {
    whole: forms.flatMap((form, index) => [
      {
        type: 'title',
        title: form,
        display_tags: [form, key],
        summary: words.join(' '),
        stream_index: index,
      },
      { type: 'cost', billing_rate_per_sec: form, billing_before_discount: key },
      { type: 'audio_chunk', data: audio, stream_index: index, num_streams: forms.length },
      ...(index === forms.length - 1 ? [{ type: 'complete' }] : []),
    ]),
    failing: [
      { type: 'title', title: key },
      { type: 'error', code: key, message: words[0] },
    ],
    'failing otherwise': [{ type: 'error', detail: words[1] }],
    'failing at last': [{ type: 'error', message: words[2] }],
  };
  for (const [name, events] of Object.entries(streams)) {
    it.each([[], ['--json']])(`${name} %s`, async (...json) => {
      const server = await answering((_arrival, response) => {
        response.writeHead(200, { 'Content-Type': 'application/x-ndjson' });
        response.end(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
      });
      const world = await CliWorld.open({ env });
      const args = ['--duration', '3', '--out', world.path('out'), '--server', server.url];
      const code = await world.run('music', `a song of ${key}`, ...args, ...withKey, ...json);

      await expectNoKey(world);
      expect(code).toBe(name === 'whole' ? 0 : 1);
      expect(world.out + world.err).toContain('[hidden');
    });
  }

  it.each([400, 401, 402, 403, 404, 429, 500])('refusing with %d', async (status) => {
    for (const text of words) {
      const server = await answering((_arrival, response) => {
        response.writeHead(status, { 'Content-Type': 'application/json', 'Retry-After': key });
        response.end(JSON.stringify({ message: text, code: key }));
      });
      const world = await CliWorld.open({ env });
      const args = ['--duration', '3', '--out', world.path('out'), '--server', server.url];
      await world.run('music', 'a song', ...args, ...withKey);

      await expectNoKey(world);
    }
  });
});
