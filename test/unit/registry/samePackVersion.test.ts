import { describe, expect, it } from 'vitest';
import { isSamePackVersion } from '../../../src/core/registry/packCard';

const ours = { id: 'a1', version: '1.4.2', downloadUrl: 'https://cdn.example.org/masks.zip' };

describe('one version in two registries', () => {
  it.each([
    ['the same ID', { id: 'a1', version: '1.4.2' }, true],
    ['another ID', { id: 'b2', version: '1.4.2', downloadUrl: ours.downloadUrl }, false],
    ['the same address', { version: '1.4.2', downloadUrl: ours.downloadUrl }, true],
    ['another address', { version: '1.4.2', downloadUrl: 'https://cdn.example.net/masks.zip' }, false],
    ['another mirror and the same ID', { ...ours, downloadUrl: 'https://cdn.example.net/x.zip' }, true],
    ['neither', { version: '1.4.2' }, undefined],
  ])('with %s is the same: %s', (_, theirs, same) => {
    expect(isSamePackVersion(ours, [{ id: 'a0', version: '1.4.1' }, theirs])).toBe(same);
  });

  it('is not known where the other registry does not list it, or is not told', () => {
    expect(isSamePackVersion(ours, [{ id: 'a1', version: '1.4.1' }])).toBeUndefined();
    expect(isSamePackVersion(ours, undefined)).toBeUndefined();
    expect(isSamePackVersion({}, [{}])).toBeUndefined();
  });

  it('is another one as soon as the other registry lists it twice and once differently', () => {
    expect(isSamePackVersion(ours, [ours, { id: 'b2', version: '1.4.2' }])).toBe(false);
  });
});
