import { findPackNode } from '../../src/core/workflow/packs/packs';
import { hasPacks, packAnswersIn } from './corpus';

/** A prompt as JSON.parse reads it. */
export type PlainPrompt = Record<
  string,
  { class_type?: string; inputs: Record<string, unknown>; _meta: { title?: string } }
>;

export interface Compared {
  /** The file has unregistered types: only the values between known nodes are a reference. */
  readonly isPartly?: boolean;
  readonly titles?: boolean;
}

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

export function differences(ours: PlainPrompt, real: PlainPrompt, compared: Compared = {}): string[] {
  const { isPartly = false, titles = true } = compared;
  const found: string[] = [];
  const isUnknown = (value: unknown): boolean => {
    return isPartly && Array.isArray(value) && real[String(value[0])]?.class_type === undefined;
  };
  for (const id of new Set([...Object.keys(real), ...Object.keys(ours)])) {
    const [a, b] = [ours[id], real[id]];
    if (isPartly && b?.class_type === undefined) continue;
    if (!a || !b) {
      found.push(`${id}: ${a ? 'too much' : 'missing'} ${(a ?? b)?.class_type ?? ''}`);
      continue;
    }
    if (b.class_type !== undefined && a.class_type !== b.class_type)
      found.push(`${id}: ${a.class_type} is ${b.class_type}`);
    if (titles && b.class_type !== undefined && a._meta.title !== b._meta.title) {
      found.push(`${id}: title ${a._meta.title} is ${b._meta.title}`);
    }
    for (const name of new Set([...Object.keys(b.inputs), ...Object.keys(a.inputs)])) {
      if (isUnknown(a.inputs[name]) || isUnknown(b.inputs[name])) continue;
      const [left, right] = [shown(a.inputs[name]), shown(b.inputs[name])];
      if (left !== right)
        found.push(`${id} ${b.class_type ?? ''}.${name}: ${left.slice(0, 150)} is ${right.slice(0, 150)}`);
    }
  }
  return found;
}

/**
 * Today's answer with an older page's links, where ours are like them: on links of damaged files, either page's answer
 * will do.
 */
export function withLinksOf(older: PlainPrompt, today: PlainPrompt, ours: PlainPrompt): PlainPrompt {
  const entries = Object.entries(today).map(([id, node]) => {
    const inputs = { ...node.inputs };
    const [before, made] = [older[id]?.inputs ?? {}, ours[id]?.inputs ?? {}];
    for (const name of new Set([...Object.keys(before), ...Object.keys(inputs)])) {
      const isOfLink = Array.isArray(before[name]) || Array.isArray(inputs[name]);
      if (isOfLink && shown(made[name]) === shown(before[name])) inputs[name] = before[name];
    }
    return [id, { ...node, inputs }] as const;
  });
  return Object.fromEntries(entries);
}

/**
 * What the page sends only for itself: previews, players, buttons and their labels, and what a server last told it.
 * Names of placeholders stand for the values of nodes that it does not know.
 */
const ofThePage =
  /\.(?:cache_info|videopreview|audioUI|upload|rgthree_comparer|PowerLoraLoaderHeaderWidget|➕ Add Lora|UNKNOWN(?:_\d+)?): /u;

/** The differences from a prompt of the page that runs the JavaScript of node packs. */
export function packDifferences(ours: PlainPrompt, real: PlainPrompt): string[] {
  const found = differences(ours, real, { isPartly: true, titles: false });
  return found.filter((each) => !ofThePage.test(each));
}

let promptsWithPacks: ReadonlyMap<string, PlainPrompt | undefined> | undefined;

function withPacks(dump: string, file: string): PlainPrompt | undefined {
  if (!hasPacks || dump === 'core') return undefined;
  promptsWithPacks ??= new Map(
    packAnswersIn<PlainPrompt>('golden_corpus.ndjson').map((answer) => [answer.file, answer.prompt]),
  );
  return promptsWithPacks.get(file);
}

/** Whether a prompt of a file of the corpus is that of the page with node packs, which counts where they differ. */
export function isAsWithPacks(ours: PlainPrompt, dump: string, file: string): boolean {
  const real = withPacks(dump, file);
  return real !== undefined && packDifferences(ours, real).length === 0;
}

/**
 * The differences from a page without node packs, without those at nodes that a pack changes if no page with packs has
 * answered for the file.
 */
export function unlessOfPacks(found: readonly string[], dump: string, file: string): string[] {
  if (dump === 'core' || withPacks(dump, file)) return [...found];
  return found.filter((each) => {
    const [, classType = ''] = /^\S+ (.*?)\.[^.]*: /.exec(each) ?? [];
    return findPackNode(classType) === undefined;
  });
}
