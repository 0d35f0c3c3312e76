import { expect, it } from 'vitest';
import { recordMessages } from '../../../../src/webview/contract/record';

it.each([
  { type: 'ready' },
  { type: 'act', action: 'runAgain' },
  { type: 'runWith', changes: [] },
  { type: 'runWith', changes: [{ node: '3', input: 'seed', text: '5' }] },
  { type: 'copySeed', index: 0 },
  { type: 'openOutput', index: 3 },
])('reads the message %j of the page', (message) => {
  expect(recordMessages.parse({ ...message, more: 1 })).toEqual(message);
});

it.each([
  undefined,
  'ready',
  {},
  { type: 'act' },
  { type: 'act', action: 'constructor' },
  { type: 'runWith' },
  { type: 'runWith', changes: [{ node: '3', input: 'seed', text: 5 }] },
  { type: 'runWith', changes: [null] },
  { type: 'copySeed', index: -1 },
  { type: 'copySeed', index: 1.5 },
  { type: 'openOutput', index: '0' },
  { type: 'openOutput', name: '../secret' },
])('drops %j', (message) => {
  expect(recordMessages.safeParse(message).data).toBeUndefined();
});
