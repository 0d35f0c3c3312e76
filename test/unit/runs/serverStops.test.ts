import { describe, expect, it } from 'vitest';
import { plainPrompt, promptText, keep, preparedOf, refusalOf } from './definitions';

describe('prepareRun and links that would stop the server', () => {
  const save = (inputs: Record<string, unknown>): object => ({ class_type: 'SaveImage', inputs });
  const good = { images: ['1', 0], filename_prefix: 'x' };

  it('refuses a missing node behind an undeclared input, also when forced', () => {
    const text = promptText({ 2: save({ ...good, extra: ['99', 0] }) });
    for (const force of [false, true]) {
      const refusal = refusalOf(text, { ...keep, force });
      expect(refusal.reason).toBe('stopsServer');
      expect(refusal.message).toContain(`node "99"`);
      expect(text.slice(refusal.offset).startsWith('[')).toBe(true);
    }
  });

  const unchecked = { seeds: 'keep', force: true } as const;
  const lost = ['99', 0];
  const wrapped = { __value__: lost };
  const behind = { class_type: 'Noise', inputs: { seed: 1, image: lost } };
  const gone = { class_type: 'Gone', inputs: { extra: lost } };

  it.each<[string, Record<string, object>, Parameters<typeof refusalOf>[1]?]>([
    ['upstream of an undeclared input', { 2: save({ ...good, extra: ['3', 0] }), 3: behind }],
    ['with a fractional slot, a link to the server', { 2: save({ ...good, extra: ['99', 0.5] }) }],
    ['without node definitions', { 2: save({ ...good, images: lost }) }, unchecked],
    ['in a list that the server unwraps into a link', { 2: save({ ...good, images: wrapped }) }],
    ['in such a list, without definitions', { 2: save({ ...good, images: wrapped }) }, { seeds: 'keep' }],
    ['upstream of such a list', { 2: save({ ...good, images: { __value__: ['3', 0] } }), 3: behind }],
    ['despite an unknown node type', { 3: gone }],
    ['upstream of an unknown node type', { 3: { ...gone, inputs: { image: ['4', 0] } }, 4: behind }],
  ])('refuses one %s', (_, nodes, options = { ...keep, force: true }) => {
    const refusal = refusalOf(promptText(nodes), options);
    expect(refusal.reason).toBe('stopsServer');
    expect(refusal.message).toContain('node "99"');
  });

  it('leaves an unknown node type to the verdict unless the run is forced', () => {
    expect(refusalOf(promptText({ 3: gone })).reason).toBe('invalid');
  });

  it.each([
    ['a wrapped list that the server converts to a string', { filename_prefix: wrapped }],
    ['a wrapped list that it never unwraps', { extra: wrapped }],
    ['a pair of numbers, or with a string for a slot', { extra: [99, 0], more: ['99', '0'] }],
  ])('allows %s', (_, inputs) => {
    expect(preparedOf(promptText({ 2: save({ ...good, ...inputs }) })).kind).toBe('prepared');
  });

  it('leaves a declared input to the verdict: the server validates it', () => {
    const text = promptText({ 2: save({ images: ['99', 0], filename_prefix: 'x' }) });
    expect(refusalOf(text).reason).toBe('invalid');
    expect(preparedOf(text, { ...keep, force: true }).kind).toBe('prepared');
  });

  it("allows one that no output reaches, and one in a branch that won't run", () => {
    const leftover = { 3: { class_type: 'Noise', inputs: { seed: 1, extra: ['99', 0] } } };
    expect(preparedOf(promptText(leftover)).kind).toBe('prepared');
    const twoOutputs = promptText({ 3: save({ ...good, extra: ['99', 0] }) });
    expect(refusalOf(twoOutputs).reason).toBe('stopsServer');
    expect(preparedOf(twoOutputs, { ...keep, targets: ['2'] }).choices.targets).toEqual(['2']);
  });

  it.each(['true', '0.5', 'NaN', '1e999', '-Infinity'])('treats %s as a slot without definitions', (slot) => {
    const text = promptText({ 2: save({ ...good, extra: ['99', 7] }) }).replace(/7(\s*\])/, `${slot}$1`);
    expect(text).toContain(slot);
    expect(refusalOf(text, { seeds: 'keep', force: true }).reason).toBe('stopsServer');
  });

  it.each([600, 20_100])('finds the link behind %d other errors', { timeout: 60_000 }, (count) => {
    const faults = Object.fromEntries(
      Array.from({ length: count }, (_, index) => [`n${index}`, save({ ...good, extra: ['1', 0] })]),
    );
    const text = promptText({ ...faults, last: save({ ...good, extra: ['99', 0] }) });
    const refusal = refusalOf(text, { ...keep, force: true });
    expect(refusal.reason).toBe('stopsServer');
    expect(refusal.findings[0]?.nodeId).toBe('last');
  });

  it("refuses chains of links and nested lists that exceed the server's recursion limit", () => {
    const chain = (count: number): Record<string, unknown> =>
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `n${index}`,
          { class_type: 'Noise', inputs: { seed: 1, image: [`n${index + 1}`, 0] } },
        ]),
      );
    const last = { class_type: 'EmptyImage', inputs: { width: 64, height: 64 } };
    expect(refusalOf(promptText({ ...chain(1_200), n1200: last }), { ...keep, force: true }).reason).toBe(
      'stopsServer',
    );
    expect(preparedOf(promptText({ ...chain(500), n500: last })).kind).toBe('prepared');
    const nested = (depth: number): string =>
      JSON.stringify({ ...plainPrompt, 3: { class_type: 'Noise', inputs: { seed: 1, extra: '?' } } }).replace(
        '"?"',
        `${'['.repeat(depth)}${']'.repeat(depth)}`,
      );
    expect(refusalOf(nested(600), { ...keep, force: true }).reason).toBe('stopsServer');
    expect(preparedOf(nested(100)).kind).toBe('prepared');
  });
});
