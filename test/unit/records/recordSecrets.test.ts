import { expect, it } from 'vitest';
import { recordWithoutSecrets } from '../../../src/core/records/recordSecrets';
import { savedRun } from '../gallery/galleryRecords';

const hide = (text: string): string => text.replaceAll('secret', '***');

it('a record names no secret, wherever it stands, and still its server and files', () => {
  const named = { name: 'a.png', node: '1', area: 'output', original: 'a.png', sha256: '', bytes: 1 };
  const shown = { ...named, displayName: 'secret.png' };
  const run = savedRun(0, ['a.png'], {
    label: 'secret.json',
    expected: [named, shown],
    files: [shown],
    temporary: [shown],
    nodes: { 1: { title: 'Load secret' }, 2: { cached: true } },
    promptText: '{"key":"secret"}',
    workflowText: '["secret"]',
    texts: [{ node: '1', text: 'secret' }],
  });
  const written = recordWithoutSecrets(run, hide);
  expect(JSON.stringify(written)).not.toContain('secret');
  expect(written).toMatchObject({
    server: run.server,
    expected: [named, { ...named, displayName: '***.png' }],
    files: [{ name: 'a.png', displayName: '***.png' }],
    temporary: [{ original: 'a.png', displayName: '***.png' }],
    nodes: { 1: { title: 'Load ***' }, 2: { cached: true } },
    promptText: '{"key":"***"}',
    workflowText: '["***"]',
  });
});

it('a record without such texts stays without them', () => {
  const run = savedRun(0, ['a.png']);
  expect(recordWithoutSecrets(run, hide)).toEqual(run);
});
