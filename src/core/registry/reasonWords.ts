/** Long reasons are reports of scanners: their beginning says what they are about. */
const longest = 300;

/** Nesting beyond this is left out. */
const deepest = 6;

/** Why the registry flagged something, in one line. Its reasons are words, or JSON of its scanners. */
export function reasonWords(reason: string): string | undefined {
  const words = parsed(reason).replace(/\s+/g, ' ').trim();
  if (words === '') return undefined;
  return words.length > longest ? `${words.slice(0, longest - 1)}…` : words;
}

function parsed(reason: string): string {
  if (!/^\s*[[{]/.test(reason)) return reason;
  try {
    return spoken(JSON.parse(reason), 0);
  } catch {
    return reason;
  }
}

/** `{"rule": "exec", "files": ["a.py"]}` as `rule: exec, files: a.py`. */
function spoken(value: unknown, depth: number): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  if (typeof value !== 'object' || value === null || depth > deepest) return '';
  const isList = Array.isArray(value);
  return Object.entries(value)
    .flatMap(([name, member]: [string, unknown]) => {
      const words = spoken(member, depth + 1);
      return words === '' ? [] : [isList ? words : `${name}: ${words}`];
    })
    .join(', ');
}
