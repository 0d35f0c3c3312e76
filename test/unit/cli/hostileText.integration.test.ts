import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { sendJson } from '../../support/loopback';
import { answering, sandboxForTest } from '../../support/sandboxFixture';
import { CliWorld } from './cliWorld';
import { picture, worldWith } from './workflows';

/** Clears the screen, sets a title, reverses text, hides text, and is a workflow command on a separate line. */
const hostile =
  'a\u001B[2J\u001B]0;t\u0007\u009B31m\u202Eb\u2066\u200B\u{E0041}\uFEFF\u2028::error::canary\n::error::canary\r##[error]canary';
const acts = /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

function expectHarmless(world: CliWorld): void {
  for (const text of [world.out, world.err]) {
    expect(text).not.toMatch(acts);
    expect(text).not.toMatch(/^\s*::|##\[/m);
  }
}

const named = (classType: string) => ({
  ...picture,
  3: { class_type: classType, inputs: { [hostile]: ['1', 0] }, _meta: { title: hostile } },
});

describe('text of strangers on a terminal neither acts nor hides:', () => {
  it.each([[], ['--json']])('words of a server that refuses everything %s', async (...more) => {
    const { url } = await answering((_request, response) => {
      const error = { type: hostile, message: hostile, details: hostile, extra_info: {} };
      sendJson(response, 429, { error, message: hostile, node_errors: {} });
    });
    const world = await worldWith(named('EmptyImage'));
    expect(await world.save(url, '--force', ...more)).not.toBe(0);
    expect(world.err).toContain('canary');
    expectHarmless(world);
  });

  it.each([[], ['--json']])('titles, texts and failures of nodes %s', async (...more) => {
    const { url } = await sandboxForTest({ dialect: 'local' });
    const nodes = {
      ...picture,
      4: { class_type: 'PrimitiveString', inputs: { value: hostile }, _meta: { title: hostile } },
      5: { class_type: 'PreviewAny', inputs: { source: ['4', 0] }, _meta: { title: hostile } },
      6: { class_type: 'SandboxFail', inputs: { value: ['5', 0], how: 'value' }, _meta: { title: hostile } },
      7: { class_type: 'PreviewAny', inputs: { source: ['6', 0] } },
    };
    const world = await worldWith(nodes);
    await world.save(url, ...more);
    expect(world.out + world.err).toContain('canary');
    expectHarmless(world);
  });

  it('the progress board on a terminal is the only thing that moves the cursor', async () => {
    const { url } = await sandboxForTest({ dialect: 'local' });
    const nodes = { ...picture, 1: { ...picture[1], _meta: { title: hostile } } };
    const world = await worldWith(nodes, {}, 100);
    await world.save(url);
    const escape = String.fromCharCode(27);
    const moves = new RegExp(`${escape}\\[\\d+A${escape}\\[J`, 'g');
    expect(world.err.replaceAll(moves, '')).not.toMatch(acts);
  });

  it.each(['text', 'json', 'github'])('findings and file names, as %s', async (format) => {
    const { url } = await sandboxForTest({ dialect: 'local' });
    const world = await CliWorld.open();
    // Windows has neither escapes nor colons in names.
    const escape = process.platform === 'win32' ? '' : '\u001B[2J::error::';
    const name = `${escape}\u202E\u200Bx.json`;
    await writeFile(world.path(name), JSON.stringify(named(hostile)));
    const args = ['validate', world.path(name), world.path(`missing-${name}`)];
    expect(await world.run(...args, '--server', url, '--format', format)).toBe(1);
    expect(world.out).toContain('canary');
    expect(world.out + world.err).not.toMatch(acts);
    if (format === 'github') {
      expect(world.out.trim().split('\n')).toSatisfy((lines: string[]) =>
        lines.every((line) => line.startsWith('::error file=') || line.startsWith('::warning file=')),
      );
    } else expectHarmless(world);
  });

  it.each([[], ['--json']])('converted prompts, which keep their meaning %s', async (...more) => {
    const world = await CliWorld.open();
    const nodes = named('EmptyImage');
    await writeFile(world.path('w.json'), JSON.stringify(nodes));
    await writeFile(world.path('definitions.json'), '{}');
    const files = ['w.json', ...(more.length > 0 ? ['\u202E\u001B[2J.json'] : [])].map((name) =>
      world.path(name),
    );
    await world.run('convert', ...files, '--definitions', world.path('definitions.json'), ...more);
    expectHarmless(world);
    const prompt: unknown =
      more.length > 0
        ? (JSON.parse(world.out.split('\n')[0] ?? '') as { prompt: unknown }).prompt
        : JSON.parse(world.out);
    expect(prompt).toEqual(nodes);
  });

  it('invalid arguments', async () => {
    const world = await CliWorld.open();
    expect(await world.run(hostile)).toBe(2);
    expect(await world.run('run', 'w.json', `--${hostile}`)).toBe(2);
    expectHarmless(world);
  });
});
