import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly engines?: { readonly node?: string } }>>;
}

/** The oldest Node that README promises. */
const oldest = [20, 19, 0] as const;

/** Whether a range such as `^18.18.0 || >= 20` accepts the oldest Node. */
function accepts(range: string): boolean {
  return range.split('||').some((part) =>
    [...part.matchAll(/(\^|~|[<>]=?|=)?\s*v?([\d.x*]+)/g)].every(([, sign = '', version = '']) => {
      const wanted = version.split('.').map((digits) => Number.parseInt(digits, 10) || 0);
      const other = oldest.findIndex((value, place) => value !== (wanted[place] ?? 0));
      const order = other === -1 ? 0 : (oldest[other] ?? 0) - (wanted[other] ?? 0);
      if (sign.startsWith('<')) return order < 0 || (order === 0 && sign === '<=');
      if (sign === '>') return order > 0;
      if (sign === '>=' || version === '*') return order >= 0;
      return order >= 0 && wanted[0] === oldest[0];
    }),
  );
}

it('all packages run on the oldest Node that README promises, so that npm ci prints no warning', () => {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as Lock;
  const tooNew = Object.entries(lock.packages).filter(([, { engines }]) => !accepts(engines?.node ?? '*'));
  expect(tooNew.map(([name, { engines }]) => `${name}: ${engines?.node}`)).toEqual([]);
});
