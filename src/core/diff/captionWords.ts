import { type ComparedFacts, isComparable, seedWords, shortName, valueWords } from './valueDifferences';

type CaptionedRun = Pick<ComparedFacts, 'promptText' | 'seeds'>;

/** Limits of one run, in characters for text, because a gallery keeps thousands. */
const most = { values: 40, value: 200, total: 2_000 } as const;
const mostWords = 4;

/** Its place in the prompt, the name of the input (empty for a seed), and its text. */
type CaptionValue = readonly [place: string, input: string, text: string];

export function captionValues(run: CaptionedRun): string {
  const seeds = Object.entries(run.seeds).map(([place, digits]): CaptionValue => [place, '', digits]);
  let room: number = most.total;
  const kept = [...seeds, ...literalValues(run)].slice(0, most.values).flatMap(([place, input, text]) => {
    const value: CaptionValue = [place, input, text.slice(0, most.value)];
    room -= value.join('').length;
    return room < 0 ? [] : [value];
  });
  return JSON.stringify(kept);
}

/** The seed of each run, then the values that differ from the others. @param runs made by {@link captionValues} */
export function captionWords(runs: readonly string[]): readonly (readonly string[])[] {
  const lists = runs.map((run) => JSON.parse(run) as readonly CaptionValue[]);
  const others = differing(lists);
  return lists.map((values) => {
    const seeds = values.filter(([, input]) => input === '');
    const own = seeds.filter(([place]) => others.has(place));
    const digits = new Set((own.length > 0 ? own : seeds).map(([, , text]) => text));
    const changed = values.flatMap(([place, input, text]) => {
      const other = others.get(place)?.find((each) => each !== text);
      return input === '' || other === undefined ? [] : [`${shortName(input)} ${valueWords(text, other)}`];
    });
    return [...seedWords([...digits]), ...changed].slice(0, mostWords);
  });
}

/** The first two texts at each place where the runs differ. */
function differing(lists: readonly (readonly CaptionValue[])[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, { readonly texts: Set<string>; number: number }>();
  for (const [place, , text] of lists.flat()) {
    const known = found.get(place) ?? { texts: new Set(), number: 0 };
    found.set(place, known);
    known.number++;
    if (known.texts.size < 2) known.texts.add(text);
  }
  return new Map(
    [...found].flatMap(([place, { texts, number }]) => {
      // Missing in some runs is a difference too.
      if (number < lists.length) texts.add('');
      return texts.size > 1 ? [[place, [...texts]] as const] : [];
    }),
  );
}

/** Digits are rounded as JavaScript rounds them. Thousands of prompts are read, and the run itself tells its seeds. */
function literalValues(run: CaptionedRun): readonly CaptionValue[] {
  if (!isComparable(run)) return [];
  try {
    return membersOf(JSON.parse(run.promptText)).flatMap(([id, node]) => {
      const members = Object.fromEntries(membersOf(node));
      const type = String(members['class_type']);
      return membersOf(members['inputs']).flatMap(([input, value]) => {
        if (typeof value === 'object' || input === '' || Object.hasOwn(run.seeds, `${id}.${input}`))
          return [];
        const text = typeof value === 'string' ? value : JSON.stringify(value);
        return [[`${id} ${type} ${input}`, input, text] as const];
      });
    });
  } catch {
    return [];
  }
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}
