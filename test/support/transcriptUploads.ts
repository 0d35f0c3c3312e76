import { encode } from 'fast-png';

interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly body: Uint8Array | string;
}

const first = picture(10);
const other = picture(200);
const mask = encode({ width: 8, height: 8, channels: 4, depth: 8, data: new Uint8Array(256).fill(120) });

/** The recordings contain no upload bodies: these match their descriptions. */
const partsByNote: Readonly<Record<string, readonly Part[]>> = {
  new: [file('up.png', first)],
  'same bytes again': [file('up.png', first)],
  'other bytes, same name': [file('up.png', other)],
  overwrite: [file('up.png', other), text('overwrite', 'true')],
  subfolder: [file('up.png', first), text('subfolder', 'a/b')],
  'subfolder climbs': [file('up.png', first), text('subfolder', '../..')],
  'name climbs': [file('..%2F..%2Fevil.png', first)],
  temp: [file('t.png', first), text('type', 'temp')],
  'bad type': [file('t.png', first), text('type', 'nowhere')],
  'no file': [text('type', 'input')],
  'empty file name': [file('', first)],
  'not a picture': [file('n.txt', 'no picture')],
  unicode: [file('%E7%8C%AB%20%C3%A9.png', first)],
  'empty file': [file('e.png', '')],
  mask: [file('mask.png', mask), reference('{"filename": "up.png", "type": "input"}')],
  'mask, original not there': [file('mask2.png', mask), reference('{"filename": "nosuch.png"}')],
  'mask without original_ref': [file('mask3.png', mask)],
  'mask, bad ref': [file('mask4.png', mask), reference('not JSON')],
  'mask, climbing ref': [file('mask5.png', mask), reference('{"filename": "../../x.png"}')],
};

export function uploadForm(note: string): { readonly type: string; readonly body: Buffer } | undefined {
  const parts = partsByNote[note];
  if (!parts) return undefined;
  const boundary = 'sandbox-test-boundary';
  const body = parts.flatMap(({ name, filename, body }) => {
    const as = filename === undefined ? '' : `; filename="${filename}"`;
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${as}\r\n\r\n`;
    return [Buffer.from(head), Buffer.from(body), Buffer.from('\r\n')];
  });
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([...body, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

function picture(value: number): Uint8Array {
  return encode({ width: 8, height: 8, channels: 3, depth: 8, data: new Uint8Array(192).fill(value) });
}

function file(filename: string, body: Uint8Array | string): Part {
  return { name: 'image', filename, body };
}

function text(name: string, body: string): Part {
  return { name, body };
}

function reference(body: string): Part {
  return text('original_ref', body);
}
