import { expect, it } from 'vitest';
import { missingPacks } from '../../../src/core/registry/missingPacks';
import type { PackAnswer } from '../../../src/core/registry/packAnswer';
import { readPackCard } from '../../../src/core/registry/packCard';

function found(id: string, how: 'provides' | 'maybe' = 'provides'): PackAnswer {
  const card = readPackCard({ id });
  if (!card) throw new Error('no card');
  return { kind: 'found', how, card };
}

it('what the file says takes precedence over “no pack known”', () => {
  const none: PackAnswer = { kind: 'none' };
  const { packs, named, without, core, failed } = missingPacks([
    { unknown: { classType: 'A' }, answer: found('one') },
    { unknown: { classType: 'B', pack: 'private-pack' }, answer: none },
    { unknown: { classType: 'C', pack: 'private-pack', repository: 'owner/name' }, answer: none },
    { unknown: { classType: 'D', repository: 'owner/other' }, answer: none },
    { unknown: { classType: 'E' }, answer: none },
    { unknown: { classType: 'F' }, answer: { kind: 'core' } },
  ]);
  expect(packs.map(({ card, classTypes }) => [card.id, classTypes])).toEqual([['one', ['A']]]);
  expect(named).toEqual([
    { name: 'private-pack', repository: 'owner/name', classTypes: ['B', 'C'] },
    { name: 'owner/other', repository: 'owner/other', classTypes: ['D'] },
  ]);
  expect(without).toEqual(['E']);
  expect(core).toEqual(['F']);
  expect(failed).toEqual([]);
});

it('the file takes precedence over a guess, and counts when the registry did not answer', () => {
  const error = new Error('no answer');
  const { packs, named, failed } = missingPacks([
    { unknown: { classType: 'A', pack: 'named' }, answer: found('guessed', 'maybe') },
    { unknown: { classType: 'B' }, answer: found('guessed', 'maybe') },
    { unknown: { classType: 'C', pack: 'other' }, error },
    { unknown: { classType: 'D' }, error },
  ]);
  expect(packs).toMatchObject([{ card: { id: 'guessed' }, classTypes: ['B'], isSure: false }]);
  expect(named.map(({ name }) => name)).toEqual(['named', 'other']);
  expect(failed.map(({ classType }) => classType)).toEqual(['C', 'D']);
});
