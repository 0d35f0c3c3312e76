import { describe, expect, it } from 'vitest';
import { textOfBytes } from '../../../src/core/json/textOfBytes';

const text = '{"prompt": "Käse 😀"}';
const bigEndian = (written: string): Buffer => Buffer.from(written, 'utf16le').swap16();

describe('textOfBytes', () => {
  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\uFEFF${text}`)],
    ['UTF-16 with a byte order mark', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['UTF-16 without one', Buffer.from(text, 'utf16le')],
    ['big-endian UTF-16 with a byte order mark', bigEndian(`\uFEFF${text}`)],
    ['big-endian UTF-16 without one', bigEndian(text)],
  ])('reads %s', (_, bytes) => {
    expect(textOfBytes(bytes)).toBe(text);
  });

  it('reads what is too short to detect', () => {
    expect(textOfBytes(Buffer.from(''))).toBe('');
    expect(textOfBytes(Buffer.from('1'))).toBe('1');
    expect(textOfBytes(Buffer.from([0xff, 0xfe]))).toBe('');
  });
});
