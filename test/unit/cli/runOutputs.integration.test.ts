import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { sandboxForTest } from '../../support/sandboxFixture';
import { picture, worldWith } from './workflows';

describe('the outputs of comfy-deck run', () => {
  it.each(['cloud', 'documented', 'local', 'local-old'] as const)(
    'are one file per output node, even if they are identical, on a %s server',
    async (dialect) => {
      const { url } = await sandboxForTest({ dialect });
      const world = await worldWith({
        ...picture,
        3: { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'copy' } },
      });
      expect(await world.save(url)).toBe(0);
      expect(world.err).toMatch(/Saved 2 outputs:/);
      const saved = world.out.trim().split('\n');
      const [one, other] = await Promise.all(saved.map((file) => readFile(file)));
      // Documented is only the name by content, which both files share.
      const names =
        dialect === 'documented'
          ? [/-[0-9a-f]{12}\.png$/, /-[0-9a-f]{12} \(2\)\.png$/]
          : [/shot_00001_\.png$/, /copy_00001_\.png$/];
      expect(saved).toEqual(names.map((name) => expect.stringMatching(name) as string));
      expect(new Set(saved).size).toBe(2);
      expect(one?.equals(other ?? Buffer.of())).toBe(true);
      const [record = ''] = (await world.names()).filter((name) => name.endsWith('.run.json'));
      const written = JSON.parse(await readFile(world.path(`out/${record}`), 'utf8')) as unknown;
      expect(written).toMatchObject({
        state: 'saved',
        expected: [{ node: '2' }, { node: '3' }],
        files: [{ node: '2' }, { node: '3' }],
      });
    },
  );
});
