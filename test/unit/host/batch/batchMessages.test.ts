import { describe, expect, it } from 'vitest';
import { formMessages } from '../../../../src/webview/contract/batchEntry';
import { sheetMessages } from '../../../../src/webview/contract/batchSheet';

const form = {
  count: '4',
  axes: [{ selector: 'KSampler.cfg', kind: 'list', text: '6, 7', column: '' }],
  servers: ['sandbox'],
  window: '',
};
const png = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, 0]);

describe('a message of the Set Up Batch form', () => {
  it.each([
    { type: 'ready' },
    { type: 'ready', form },
    { type: 'change', revision: 3, form },
    { type: 'pickFile' },
    { type: 'save', form },
    { type: 'run', form },
  ])('is read: $type', (message) => {
    expect(formMessages.safeParse(message).data).toEqual(message);
  });

  it.each([
    undefined,
    'ready',
    { type: 'change', form },
    { type: 'change', revision: -1, form },
    { type: 'run' },
    { type: 'run', form: { ...form, count: 4 } },
    { type: 'save', form: { ...form, axes: [{ ...form.axes[0], kind: 'shell' }] } },
    { type: 'save', form: { ...form, servers: 'sandbox' } },
    { type: 'openFile', file: '/etc/passwd' },
  ])('is dropped if it does not match the contract: %j', (message) => {
    expect(formMessages.safeParse(message).data).toBeUndefined();
  });
});

describe('a form with as many values as a batch file has', () => {
  it('is read', () => {
    const text = Array.from({ length: 10_000 }, () => 'a long description of a picture '.repeat(5)).join(
      '\n',
    );
    const message = { type: 'run', form: { ...form, axes: [{ ...form.axes[0], text }] } };
    expect(formMessages.safeParse(message).success).toBe(true);
  });
});

describe('a message of a contact sheet', () => {
  it.each([
    { type: 'ready' },
    { type: 'act', action: 'pause' },
    { type: 'open', row: 12 },
    { type: 'exportMarkdown', across: 1 },
    { type: 'exportMarkdown', across: 1, down: 0 },
    { type: 'exportPicture', png },
  ])('is read: $type', (message) => {
    expect(sheetMessages.safeParse(message).data).toEqual(message);
  });

  it.each([
    { type: 'act', action: 'start' },
    { type: 'open', row: '../x' },
    { type: 'open', row: -1 },
    { type: 'exportPicture', png: [...png] },
    { type: 'exportPicture', png: new TextEncoder().encode('<svg onload="x()"/>') },
  ])('is dropped if it does not match the contract: %j', (message) => {
    expect(sheetMessages.safeParse(message).data).toBeUndefined();
  });
});
