import { expect, it } from 'vitest';
import { parseJson } from '../../../src/core/json/tree';
import { packIdentity } from '../../../src/core/workflow/packIdentity';

function identity(properties: unknown): unknown {
  const { root } = parseJson(JSON.stringify(properties));
  return packIdentity(root?.kind === 'object' ? root : undefined);
}

it('has its members in the order of the editor', () => {
  const properties = { ver: '1.2.3', 'Node name for S&R': 'X', aux_id: 'owner/name', cnr_id: 'a-pack' };
  const found = identity(properties);
  expect(JSON.stringify(found)).toBe('{"cnr_id":"a-pack","aux_id":"owner/name","ver":"1.2.3"}');
  expect(identity({})).toEqual({});
});

it.each([
  ['cnr_id', 'ComfyUI_essentials.2', true],
  ['cnr_id', '-pack', false],
  ['cnr_id', 'a pack', false],
  ['cnr_id', 'x'.repeat(100), true],
  ['cnr_id', 'x'.repeat(101), false],
  ['cnr_id', 7, false],
  ['aux_id', 'some-owner/name.of_pack', true],
  ['aux_id', 'ComfyUI-WanVideoWrapper/', false],
  ['aux_id', 'some--owner/name', false],
  ['aux_id', '-owner/name', false],
  ['aux_id', 'https://github.com/a/b', false],
  ['ver', '1.0.0-rc.1+build.5', true],
  ['ver', '1.0.0-RC1', false],
  ['ver', '1.0', false],
  ['ver', '01e452c0d182b9bfe51def1e7c924f7222fb7194', true],
  ['ver', 'abc', false],
  ['ver', 'unknown', true],
  ['ver', null, false],
])('%s %j is well formed: %s', (name, value, isGood) => {
  expect(identity({ [name]: value })).toEqual(isGood ? { [name]: value } : {});
});

it('has versions without the v in front', () => {
  expect(identity({ ver: 'v1.2.3' })).toEqual({ ver: '1.2.3' });
  expect(identity({ ver: 'vv1.2.3' })).toEqual({});
});
