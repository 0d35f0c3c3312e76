/**
 * Decodes standard base64; undefined if the text is not valid. Padding may be missing and ASCII white space may occur
 * (protocol 5.3); any other character is refused, since `Buffer.from` would drop it silently.
 */
export function decodeBase64(text: string): Uint8Array | undefined {
  let digits = 0;
  let padding = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (isSpace(code)) continue;
    if (code === equalsSign) padding++;
    else if (padding === 0 && isDigit(code)) digits++;
    else return undefined;
  }
  const isWhole = padding === 0 ? digits % 4 !== 1 : padding <= 2 && (digits + padding) % 4 === 0;
  return isWhole ? Buffer.from(text, 'base64') : undefined;
}

const equalsSign = 0x3d;

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0c || code === 0x0d;
}

function isDigit(code: number): boolean {
  const letter = code | 0x20;
  return (
    (letter >= 0x61 && letter <= 0x7a && code < 0x80) ||
    (code >= 0x30 && code <= 0x39) ||
    code === 0x2b ||
    code === 0x2f
  );
}
