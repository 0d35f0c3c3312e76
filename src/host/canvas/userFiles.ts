/** What a request for the user files of a ComfyUI server asks for. */
export type UserFileRequest =
  /** A file that is no workflow: the server answers. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'list'; readonly hasInfo: boolean }
  | { readonly kind: 'read' | 'write'; readonly name: string }
  /** To rename or to delete one. */
  | { readonly kind: 'change' }
  /** The page keeps its bookmarks among the workflows. */
  | { readonly kind: 'bookmarks' }
  | { readonly kind: 'missing' }
  | { readonly kind: 'forbidden' };

/** Decoding stops here: the server decodes twice, and no name of a file needs as much. */
const mostDecodings = 8;

/**
 * The parts of a path with everything decoded, as often as it can be: a server decodes names once or twice, so a slash
 * that is encoded more often than that is only refused more strictly. `\` is a slash on Windows.
 */
export function decodedSegments(path: string): readonly string[] {
  let text = path;
  for (let round = 0; round < mostDecodings; round++) {
    // As Python does it: what is no escape stays, and bytes that are no UTF-8 are replaced.
    const decoded = text.replace(/(?:%[\da-f]{2})+/gi, (bytes) =>
      Buffer.from(bytes.replaceAll('%', ''), 'hex').toString('utf8'),
    );
    if (decoded === text) break;
    text = decoded;
  }
  return text.split(/[/\\]+/).filter((part) => part !== '');
}

/**
 * Reads a request for user files; undefined if it is for something else. Workflows are ours alone, however their
 * folder is spelled, so that no workflow on the server is written, moved or deleted.
 * @param segments from {@link decodedSegments}
 */
export function readUserFileRequest(
  method: string,
  segments: readonly string[],
  query: URLSearchParams,
): UserFileRequest | undefined {
  const at = segments.findIndex((part) => part.toLowerCase() === 'userdata');
  if (at < 0) return undefined;
  const rest = segments.slice(at + 1);
  const reads = method === 'GET' || method === 'HEAD';
  if (rest.length === 0) {
    // Lists of the second kind have all that is below a folder, and no page asks for them.
    return reads && segments[at - 1] !== 'v2' ? readList(query) : { kind: 'missing' };
  }
  if (!rest.some(isWorkflows))
    return reads || rest.every(isPlain) ? { kind: 'foreign' } : { kind: 'forbidden' };
  const [folder, name, ...more] = rest;
  if (method === 'DELETE' || rest.includes('move')) return { kind: 'change' };
  if (folder !== 'workflows' || name === undefined) return { kind: reads ? 'missing' : 'forbidden' };
  if (name === '.index.json') return { kind: 'bookmarks' };
  if (more.length > 0 && reads) return { kind: 'missing' };
  const file = more.at(-1) ?? name;
  if (reads) return { kind: 'read', name: file };
  return method === 'POST' ? { kind: 'write', name: file } : { kind: 'forbidden' };
}

function readList(query: URLSearchParams): UserFileRequest {
  const parts = decodedSegments(query.getAll('dir').join('/')).filter((part) => part !== '.');
  // The list of all folders has those of the server's workflows.
  if (parts.length === 0 || !parts.every(isPlain)) return { kind: 'missing' };
  if (!parts.some(isWorkflows)) return { kind: 'foreign' };
  if (parts.length > 1 || parts[0] !== 'workflows') return { kind: 'missing' };
  return { kind: 'list', hasInfo: query.get('full_info') === 'true' };
}

/** File systems take other letters for these too: those of another case or width, and dots or a stream after them. */
function isWorkflows(part: string): boolean {
  const [name = ''] = part.normalize('NFKC').toLowerCase().split(':');
  return /^workflows[. ]*$/.test(name);
}

/** A name that means only itself: Windows knows files by short names and with dots after them, macOS skips invisible letters. */
function isPlain(part: string): boolean {
  return (
    !/^\.+$|[. ]$|~\d/.test(part) &&
    !/[\p{Cc}\p{Default_Ignorable_Code_Point}:"*?<>|%]/u.test(part) &&
    part.length <= 255
  );
}
