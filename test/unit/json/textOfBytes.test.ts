import { describe, expect, it } from 'vitest';
import { NotUnicode, textOfBytes, decodeSentText } from '../../../src/core/json/textOfBytes';

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

describe('unicodeTextOf', () => {
  it.each<[string, number[], string | undefined]>([
    // Größe, naïve café, déjà
    ['Latin-1', [0x47, 0x72, 0xf6, 0xdf, 0x65, 0x2c, 0x20, 0x63, 0x61, 0x66, 0xe9], 'Latin-1'],
    ['quotation marks of Windows', [0x93, 0x61, 0x94], 'Latin-1'],
    ['two accents in a row', [0x63, 0x72, 0xe9, 0xe9], 'Latin-1'],
    // 一只猫在
    ['Chinese', [0xd2, 0xbb, 0xd6, 0xbb, 0xc3, 0xa8, 0xd4, 0xda], 'GBK'],
    // ねこがいる
    ['Japanese', [0x82, 0xcb, 0x82, 0xb1, 0x82, 0xaa, 0x82, 0xa2, 0x82, 0xe9], 'Shift_JIS'],
    // 고양이가 창가에 앉아
    [
      'Korean',
      [
        0xb0, 0xed, 0xbe, 0xe7, 0xc0, 0xcc, 0xb0, 0xa1, 0x20, 0xc3, 0xa2, 0xb0, 0xa1, 0xbf, 0xa1, 0x20, 0xbe,
        0xc9, 0xbe, 0xc6,
      ],
      'EUC-KR',
    ],
    ['what is no text', [0x89, 0x50, 0x4e, 0x47, 0x00, 0xff], undefined],
  ])('refuses %s, with the likely encoding', (_, letters, encoding) => {
    const bytes = Buffer.concat([Buffer.from('{"text": "'), Buffer.from(letters), Buffer.from('"}')]);
    expect(() => decodeSentText(bytes)).toThrow(new NotUnicode(encoding));
  });

  it('reads Unicode, with the replacement character if that is in the file', () => {
    expect(decodeSentText(Buffer.from('\uFEFF{"a": "\uFFFD"}'))).toBe('{"a": "\uFFFD"}');
    expect(decodeSentText(Buffer.from('\uFEFF{"a": "ä"}', 'utf16le'))).toBe('{"a": "ä"}');
  });
});
