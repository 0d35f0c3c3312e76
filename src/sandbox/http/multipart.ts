/** One field of a multipart form; `filename` is there for files only, and may be empty. */
export interface FormField {
  readonly name: string;
  readonly filename?: string;
  readonly contentType?: string;
  readonly bytes: Buffer;
}

/**
 * Reads a multipart/form-data body.
 * @throws SyntaxError when the type names no boundary or the body is cut off.
 */
export function readMultipart(body: Buffer, contentType: string): ReadonlyMap<string, FormField> {
  const boundary = /boundary="?([^";]+)"?/i.exec(contentType)?.[1];
  if (!/^multipart\/form-data/i.test(contentType) || boundary === undefined) {
    throw new SyntaxError('The body is no multipart form.');
  }
  const fields = new Map<string, FormField>();
  const mark = Buffer.from(`--${boundary}`, 'latin1');
  let at = body.indexOf(mark);
  while (at >= 0) {
    const start = at + mark.length;
    if (body.subarray(start, start + 2).toString('latin1') === '--') return fields;
    const next = body.indexOf(mark, start);
    if (next < 0) break;
    const field = readPart(body.subarray(start + 2, next - 2));
    if (field) fields.set(field.name, field);
    at = next;
  }
  throw new SyntaxError('The multipart form is cut off.');
}

export function formText(fields: ReadonlyMap<string, FormField>, name: string): string | undefined {
  return fields.get(name)?.bytes.toString('utf8');
}

function readPart(part: Buffer): FormField | undefined {
  const end = part.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = part.subarray(0, end).toString('utf8');
  const disposition = /^content-disposition:(.*)$/im.exec(head)?.[1] ?? '';
  const name = quotedParameter(disposition, 'name');
  if (name === undefined) return undefined;
  const filename = quotedParameter(disposition, 'filename');
  const contentType = /^content-type:\s*(\S+)/im.exec(head)?.[1];
  return {
    name,
    ...(filename === undefined ? {} : { filename }),
    ...(contentType === undefined ? {} : { contentType }),
    bytes: part.subarray(end + 4),
  };
}

function quotedParameter(header: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|;)\\s*${name}="((?:[^"\\\\]|\\\\.)*)"`, 'i').exec(header)?.[1];
  // Browsers write a quote as %22, others escape it.
  return found?.replace(/\\(.)/g, '$1').replaceAll('%22', '"');
}
