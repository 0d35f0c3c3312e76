import { describe, expect, it } from 'vitest';
import { plainPrompt, promptText } from './definitions';
import { keep, preparedOf, refusalOf } from './preparedTexts';

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

  it('refuses one upstream of a node that only an undeclared input reaches', () => {
    const text = promptText({
      2: save({ ...good, extra: ['3', 0] }),
      3: { class_type: 'Noise', inputs: { seed: 1, image: ['99', 0] } },
    });
    expect(refusalOf(text, { ...keep, force: true }).reason).toBe('stopsServer');
  });

  it('treats a fractional slot as a link, as the server does', () => {
    expect(refusalOf(promptText({ 2: save({ ...good, extra: ['99', 0.5] }) })).reason).toBe('stopsServer');
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

  it('refuses every link to a missing node without node definitions', () => {
    const text = promptText({ 2: save({ images: ['99', 0], filename_prefix: 'x' }) });
    expect(refusalOf(text, { seeds: 'keep', force: true }).reason).toBe('stopsServer');
  });

  it('refuses a list that the server unwraps into a link', () => {
    const wrapped = { __value__: ['99', 0] };
    const refusal = refusalOf(promptText({ 2: save({ ...good, images: wrapped }) }), {
      ...keep,
      force: true,
    });
    expect(refusal.reason).toBe('stopsServer');
    expect(refusal.message).toContain(`node "99"`);
    expect(refusalOf(promptText({ 2: save({ ...good, images: wrapped }) }), { seeds: 'keep' }).reason).toBe(
      'stopsServer',
    );
    const behind = promptText({
      2: save({ ...good, images: { __value__: ['3', 0] } }),
      3: { class_type: 'Noise', inputs: { seed: 1, image: ['99', 0] } },
    });
    expect(refusalOf(behind, { ...keep, force: true }).reason).toBe('stopsServer');
  });

  it('allows a wrapped list that the server converts to a string or never unwraps', () => {
    const text = promptText({ 2: save({ ...good, filename_prefix: { __value__: ['99', 0] } }) });
    expect(preparedOf(text).kind).toBe('prepared');
    const undeclared = promptText({ 2: save({ ...good, extra: { __value__: ['99', 0] } }) });
    expect(preparedOf(undeclared).kind).toBe('prepared');
  });

  it.each(['true', '0.5', 'NaN', '1e999', '-Infinity'])(
    'treats %s as a slot without node definitions',
    (slot) => {
      const text = promptText({ 2: save({ ...good, extra: ['99', 7] }) }).replace(/7(\s*\])/, `${slot}$1`);
      expect(text).toContain(slot);
      expect(refusalOf(text, { seeds: 'keep', force: true }).reason).toBe('stopsServer');
    },
  );

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

  it('refuses one despite an unknown node type when the run is forced', () => {
    const unknown = promptText({ 3: { class_type: 'Gone', inputs: { extra: ['99', 0] } } });
    expect(refusalOf(unknown).reason).toBe('invalid');
    expect(refusalOf(unknown, { ...keep, force: true }).reason).toBe('stopsServer');
    const behind = promptText({
      3: { class_type: 'Gone', inputs: { image: ['4', 0] } },
      4: { class_type: 'Noise', inputs: { seed: 1, image: ['99', 0] } },
    });
    expect(refusalOf(behind, { ...keep, force: true }).reason).toBe('stopsServer');
  });

  it('does not mistake a pair of numbers or a string for a link', () => {
    const text = promptText({ 2: save({ ...good, extra: [99, 0], more: ['99', '0'] }) });
    expect(preparedOf(text).kind).toBe('prepared');
  });
});
