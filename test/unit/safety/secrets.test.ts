import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Secrets } from '../../../src/core/safety/secrets';
import { canaryKey, quotedForm, secretForms } from '../../support/secretForms';

const key = canaryKey('canary');
const password = 'a "quoted" päss\\word+of/all?';

function knowing(...texts: readonly string[]): Secrets {
  const secrets = new Secrets();
  for (const text of texts) secrets.add(text);
  return secrets;
}

describe('secrets', () => {
  it.each(Object.entries(secretForms))('hides a password quoted %s', (_, form) => {
    expect(knowing(password).hide(`before ${form(password)} behind`)).toBe('before [hidden] behind');
  });

  it('suspects JSON that escapes letters without need', () => {
    const escaped = `{"a":"\\u0063${key.slice(1)}"}`;
    const secrets = knowing(key);

    expect([secrets.mayOccurIn(escaped), secrets.mayOccurIn('{"a":"b \\u4e2d\\n"}')]).toEqual([true, false]);
    expect(new Secrets().mayOccurIn(escaped)).toBe(false);
  });

  it('leaves other texts alone', () => {
    const text =
      'Basic understanding of comfyui-animatediff-evolved, see https://example.org/?q=1#cookie: yes "a" %41 \\u0041';

    expect(knowing(key).hide(text)).toBe(text);
    expect(new Secrets().scrub('Basic understanding of comfyui-animatediff-evolved')).toBe(
      'Basic understanding of comfyui-animatediff-evolved',
    );
  });

  it('hides the beginning of a key that was cut off', () => {
    expect(knowing(key).hide(`words ${key.slice(0, 40)}`)).toBe('words [hidden]');
  });

  it('hides a key without its scheme too', () => {
    const secrets = knowing(`Bearer ${key}`);

    expect(secrets.hide(`it was ${key}`)).toBe('it was [hidden]');
  });

  it('hides a short secret only where it stands alone', () => {
    const secrets = knowing('cat');

    expect(secrets.hide('cat, concatenate, "cat" and cat_1')).toBe(
      '[hidden], concatenate, "[hidden]" and cat_1',
    );
  });

  it.each([
    'pass"word-and-more-of-it',
    'pass\\word-and-more',
    'pass\\',
    'pässwörd',
    'one two',
    '%41%42%43 and more',
  ])('hides %s in JSON and in an address', (secret) => {
    const text = JSON.stringify({ a: secret, b: encodeURIComponent(secret), c: [`(${secret})`] });

    expect(JSON.parse(knowing(secret).hide(text))).toEqual({
      a: expect.stringMatching(/^\[hidden\]\\?$/) as string,
      b: expect.stringMatching(/^\[hidden\](?:%5C)?$/) as string,
      c: [expect.stringMatching(/^\(\[hidden\]\\?\)$/) as string],
    });
  });

  it('hides keys that overlap or follow a part of one', () => {
    expect(knowing(key).hide(`${key.slice(0, 30)}${key}`)).toBe('[hidden]');
    expect(knowing('a'.repeat(60)).hide('a'.repeat(100))).toBe('[hidden]');
  });

  it('stays within one JSON string', () => {
    const text = JSON.stringify([key.slice(0, 20), { [key.slice(20)]: 1 }]);

    expect(JSON.parse(knowing(key).hide(text))).toHaveLength(2);
  });

  it('hides in names and strings of parsed JSON and keeps the rest', () => {
    const value = { untouched: ['a', { b: 1 }], [key]: [key, 2, null], bytes: new Uint8Array(3) };
    const clean = knowing(key).hideDeep(value);

    expect(clean).toEqual({
      untouched: ['a', { b: 1 }],
      '[hidden]': ['[hidden]', 2, null],
      bytes: new Uint8Array(3),
    });
    expect(clean.untouched).toBe(value.untouched);
  });

  it('handles JSON of any depth and any member names', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);

    expect(() => knowing(key).hideDeep(deep)).not.toThrow();
    const clean = knowing(key).hideDeep(JSON.parse(`{"__proto__":{"a":"${key}"}}`) as unknown);
    expect(JSON.stringify(clean)).toBe('{"__proto__":{"a":"[hidden]"}}');
  });

  it('hides the values of credential headers, whatever they are called', () => {
    const secrets = new Secrets();
    secrets.addHeaders({ 'CF-Access-Client-Secret': 'abcdefgh12345678', 'X-Trace': 'visible-trace' });

    expect(secrets.hide('abcdefgh12345678 visible-trace')).toBe('[hidden] visible-trace');
  });

  it('hides signed addresses and their signatures, remembering the latest', () => {
    const secrets = new Secrets();
    const address = (number: number): string =>
      `https://storage.example/bucket/file.png?X-Goog-Signature=${'5a'.repeat(30)}${number}&name=file.png`;
    for (let number = 1000; number < 1500; number++) secrets.addAddress(address(number));

    expect(secrets.hide(`from ${address(1499)}`)).toBe(
      'from https://storage.example/bucket/file.png?X-Goog-Signature=[hidden]&name=file.png',
    );
    expect(secrets.hide(`signed ${'5a'.repeat(30)}1499`)).toBe('signed [hidden]');
    expect(secrets.hide('https://storage.example/bucket/other.png')).toBe(
      'https://storage.example/bucket/other.png',
    );
    expect(secrets.hide('file.png')).toBe('file.png');
  });

  it('recognizes credentials by their shape', () => {
    const secrets = new Secrets();

    expect(secrets.scrub('GET /ws?clientId=1&token=abc HTTP')).toBe('GET /ws?clientId=1&token=[hidden] HTTP');
    expect(secrets.scrub('https://me:pass@host/ and wss://you@host')).toBe(
      'https://[hidden]@host/ and wss://[hidden]@host',
    );
    expect(secrets.scrub('{"Authorization":"Bearer abc"}')).toBe('{"Authorization":"Bearer [hidden]"}');
    expect(secrets.scrub('x-api-key: abc; set-cookie=def')).toBe('x-api-key: [hidden]; set-cookie=[hidden]');
    expect(secrets.scrub('said Bearer abcdef12')).toBe('said Bearer [hidden]');
    expect(secrets.scrub('{\\"api_key_comfy_org\\":\\"abc\\"}')).toBe(
      '{\\"api_key_comfy_org\\":\\"[hidden]\\"}',
    );
    expect(secrets.scrub(`a key comfyui-${'ab1'.repeat(20)}.`)).toBe('a key [hidden].');
    expect(secrets.scrub('https://s/o?X-Goog-Date=1&X-Goog-Signature=ff')).toBe(
      'https://s/o?X-Goog-Date=[hidden]&X-Goog-Signature=[hidden]',
    );
  });

  it('hides a key anywhere in any text, in every form', () => {
    const secrets = knowing(key);
    const forms = Object.values(secretForms);
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary-ascii', maxLength: 40 }),
        fc.string({ unit: 'binary-ascii', maxLength: 40 }),
        fc.nat(forms.length - 1),
        (before, behind, index) => {
          const form = forms[index] ?? ((text: string) => text);
          const clean = secrets.scrub(`${before} ${form(key)} ${behind}`);
          expect(quotedForm(clean, key)).toBeUndefined();
        },
      ),
      { numRuns: 300, seed: 9 },
    );
  });
});
