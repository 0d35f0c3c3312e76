import { expect, it } from 'vitest';
import { printingTerminal, showsColors, type Terminal } from '../../../src/cli/terminal';
import { Secrets } from '../../../src/core/safety/secrets';

function printed(text: string, hasColors: boolean): string {
  let out = '';
  const raw: Terminal = {
    out: (part) => (out += part),
    err: () => undefined,
    columns: undefined,
    hasColors,
    env: {},
    onInterrupt: () => () => undefined,
    exit: () => undefined,
  };
  printingTerminal(raw, new Secrets()).out(text, 'differences');
  return out;
}

const differences = '+ Load (1)\n- Save (3)\n~ Sample (2)\n    seed: 5 → "\u001b[5m6"\n';

it('prints differences in colors, and no color that a file has', () => {
  const colored = (color: number, text: string): string => `\u001b[${color}m${text}\u001b[0m`;
  expect(printed(differences, true).split('\n')).toEqual([
    colored(32, '+ Load (1)'),
    colored(31, '- Save (3)'),
    colored(33, '~ Sample (2)'),
    `    seed: ${colored(31, '5')} → ${colored(32, '" [5m6"')}`,
    '',
  ]);
  expect(printed(differences, false)).toBe(differences.replace('\u001b', ' '));
});

it.each([
  ['a terminal', {}, true, true],
  ['a pipe', {}, false, false],
  ['the pager of Git', { GIT_PAGER_IN_USE: 'true' }, false, true],
  ['a user who wants none', { NO_COLOR: '1' }, true, false],
  ['an empty NO_COLOR', { NO_COLOR: '' }, true, true],
  ['a terminal without them', { TERM: 'dumb' }, true, false],
])('has colors for %s: %j', (_, env, isTerminal, expected) => {
  expect(showsColors(env, isTerminal)).toBe(expected);
});
