/** A key that exists nowhere: made at run time, and different for each name. */
export function canaryKey(name: string): string {
  return `comfyui-${name}${'0Kq7Zr-w_X'.repeat(5)}`;
}

const escaped = (key: string): string =>
  Array.from(key)
    .map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
const percented = (key: string): string =>
  Array.from(key)
    .map((letter) => `%${letter.charCodeAt(0).toString(16)}`)
    .join('');
const base64 = (before: string, key: string): string => Buffer.from(`${before}${key}.`).toString('base64');

/** The forms in which a key can be quoted, by name. */
export const secretForms: Readonly<Record<string, (key: string) => string>> = {
  verbatim: (key) => key,
  'lower case': (key) => key.toLowerCase(),
  'upper case': (key) => key.toUpperCase(),
  'escaped for JSON': escaped,
  'escaped for JSON in part': (key) => key.slice(0, 5) + escaped(key.slice(5, 9)) + key.slice(9),
  'escaped for JSON in JSON': (key) => JSON.stringify(escaped(key)).slice(1, -1),
  'in percent': percented,
  'in percent in part': (key) => percented(key.slice(0, 9)) + key.slice(9),
  'base64 at the first place': (key) => base64('', key),
  'base64 at the second place': (key) => base64('a', key),
  'base64 at the third place': (key) => base64('ab', key),
  'base64 without padding': (key) => base64('abc', key).replaceAll('=', ''),
  'base64 for URLs': (key) => Buffer.from(`>?>${key}?>?`).toString('base64url'),
  'base64 of lower case': (key) => base64('ab', key.toLowerCase()),
  'base64 over lines': (key) => base64('ab', key).replace(/.{20}/g, '$&\r\n'),
  'escaped for JSON and quoted': (key) => JSON.stringify(`"${escaped(key)}"`),
  hex: (key) => Buffer.from(key).toString('hex'),
  'hex in upper case with spaces': (key) =>
    Buffer.from(key).toString('hex').toUpperCase().replace(/../g, '$& '),
  'over lines': (key) => key.replace(/.{15}/g, '$&\n    '),
  'over escaped lines': (key) => key.replace(/.{15}/g, '$&\\n'),
  'in numbers of HTML': (key) =>
    Array.from(key)
      .map((letter) => `&#${letter.charCodeAt(0)};`)
      .join(''),
};

/**
 * The first form of a key that a text quotes, found without the code under test, by decoding everything that a reader
 * can decode.
 */
export function quotedForm(text: string, key: string): string | undefined {
  const heard = (words: string): boolean => tight(words).includes(tight(key));
  const readings = new Set([text]);
  for (let round = 0; round < 4; round++) {
    for (const reading of [...readings]) {
      readings.add(
        reading.replace(/\\+u([0-9a-f]{4})/gi, (_all, code: string) => letter(parseInt(code, 16))),
      );
      readings.add(reading.replace(/%([0-9a-f]{2})/gi, (_all, code: string) => letter(parseInt(code, 16))));
    }
  }
  const html = text.replace(/&#(\d+);/g, (_all, code: string) => letter(Number(code)));
  if ([...readings, html, text.replaceAll('\\n', '')].some(heard)) return 'readable';
  for (const [name, form] of Object.entries(secretForms)) {
    // The characters at both ends contain bits of the text around the key.
    if (tight(text).includes(tight(form(key)).slice(4, -6))) return name;
  }
  return undefined;
}

const letter = (code: number): string => String.fromCharCode(code);

function tight(text: string): string {
  return text.replace(/[\s=]/g, '').toLowerCase();
}
