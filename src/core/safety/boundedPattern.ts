/** A regular expression from outside that takes only a bounded number of steps. */
export interface BoundedPattern {
  /** Undefined once the steps that are left would not do. */
  test(text: string): boolean | undefined;
}

/** Steps that all patterns of one reading may take together. */
export interface StepCount {
  steps: number;
}

/** Longer ones are no patterns that people write by hand. */
const longest = 500;

/** Null if the expression is not valid; undefined if no bound is known, as for a repeated group that itself repeats something. */
export function boundedPattern(source: string, count: StepCount): BoundedPattern | null | undefined {
  // Only whether it matches is asked, for which these make no difference.
  const core = source.replace(/^\^?(?:\.\*\??)+/u, '').replace(/(?<!\\)(?:\.\*)+\$?$/u, '');
  const ways = core.length > longest ? undefined : waysOf(core);
  let pattern: RegExp;
  try {
    pattern = new RegExp(core.length > longest ? '' : core);
  } catch {
    return null;
  }
  if (!ways) return undefined;
  const known = new Map<string, boolean>();
  return {
    test(text) {
      let matches = known.get(text);
      if (matches !== undefined) return matches;
      const cost = (text.length + 1) ** (ways.repeats + 1) * ways.branches;
      if (cost > count.steps) return undefined;
      count.steps -= cost;
      try {
        matches = pattern.test(text);
      } catch {
        // Some are found to be too large only now.
        return undefined;
      }
      known.set(text, matches);
      return matches;
    },
  };
}

interface Ways {
  /** How many parts may be repeated as often as the text is long, or compared with so much that came before. */
  readonly repeats: number;
  readonly branches: number;
}

interface Group {
  branches: number;
  /** Whether it can match one text in more than one way. */
  isOpen: boolean;
}

function waysOf(source: string): Ways | undefined {
  let repeats = 0;
  let branches = 1;
  const outer: Group[] = [];
  let group: Group = { branches: 1, isOpen: false };
  let closed: Group | undefined;
  let isClass = false;
  for (const [found] of source.matchAll(/\\.|\(\?<?[:=!]|\(\?<\w+>|[*+?]\??|\{\d+(?:,\d*)?\}\??|./gsu)) {
    if (isClass || found === '[') {
      isClass = found !== ']';
      if (isClass) continue;
    }
    const last = closed;
    closed = undefined;
    if (found.startsWith('(')) {
      outer.push(group);
      group = { branches: 1, isOpen: false };
    } else if (found === ')') {
      closed = group;
      branches *= group.branches;
      group = outer.pop() ?? { branches: 1, isOpen: false };
      group.isOpen ||= closed.isOpen || closed.branches > 1;
    } else if (found === '|') group.branches++;
    else if (/^\\[1-9k]/u.test(found)) repeats++;
    else if (/^(?:[*+]|\{\d)/u.test(found)) {
      if (last && (last.isOpen || last.branches > 1)) return undefined;
      group.isOpen = true;
      repeats++;
    } else if (found.startsWith('?')) {
      group.isOpen = true;
      branches *= 2;
    }
  }
  return { repeats, branches: branches * group.branches };
}
