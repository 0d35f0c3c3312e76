import { win32 } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contactSheet, fileLinks } from '../../../src/core/batch/contactSheet';
import { workflowFrom } from '../../../src/core/batch/prepareBatch';
import { keepLineEnds } from '../../../src/core/json/textOfBytes';

const files = [{ name: 'a b-1.png' }] as never;
const record = { files };
const links = (from: string, folder: string) =>
  fileLinks(from, { location: (name) => win32.join(folder, name) }, record, win32);

describe('a batch whose workflow is on another drive', () => {
  it.each([
    ['C:\\out', 'Z:\\w\\p.json', 'Z:/w/p.json'],
    ['C:\\out', '\\\\nas\\w\\p.json', '//nas/w/p.json'],
    ['C:\\w\\out', 'c:\\W\\p.json', '../p.json'],
  ])('names it from %s so that it is found: %s', (folder, file, name) => {
    expect(workflowFrom(folder, file, win32)).toBe(name);
    expect(win32.resolve(folder, name).toLowerCase()).toBe(file.toLowerCase());
  });
});

describe('a sheet on another drive than its outputs', () => {
  it.each([
    ['Z:\\w', 'C:\\my out', 'file:///C:/my%20out/a%20b-1.png'],
    ['Z:\\w', '\\\\nas\\my out', 'file://nas/my%20out/a%20b-1.png'],
    ['C:\\w', 'C:\\my out', '../my%20out/a%20b-1.png'],
  ])('links from %s to %s', (from, folder, link) => {
    const sheet = contactSheet('x', [], () => ({ files: links(from, folder) }));
    expect(sheet).toContain(`](${link})`);
  });
});

describe('a text that replaces another', () => {
  it.each([
    ['a\r\nb\r\n', '1\n2\n', '1\r\n2\r\n'],
    ['a\nb\n', '1\n2\n', '1\n2\n'],
    [undefined, '1\n2\n', '1\n2\n'],
    ['a\r\nb', '1\r\n2\n', '1\r\n2\r\n'],
  ])('has the line ends of %j', (old, text, written) => {
    expect(keepLineEnds(old, text)).toBe(written);
  });
});
