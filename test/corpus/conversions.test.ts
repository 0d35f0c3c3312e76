import { describe, expect, it } from 'vitest';

import { Catalog } from '../../src/core/catalog/catalog';
import { parseJson } from '../../src/core/json/tree';
import { compileGraph } from '../../src/core/workflow/graph/compileGraph';
import { corpusFolder, corpusNames, corpusNote, corpusText } from '../support/corpus';

interface GoldenIndex {
  readonly errs: Readonly<Record<string, string>>;
  readonly missing: Readonly<Record<string, readonly string[]>>;
  readonly environment: Readonly<Record<string, string>>;
}

type PlainPrompt = Record<
  string,
  { class_type?: string; inputs: Record<string, unknown>; _meta: { title?: string } }
>;

function shown(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value);
}

/** What differs between two prompts, each difference in a line. */
function differences(ours: PlainPrompt, real: PlainPrompt, isPartly: boolean): string[] {
  const found: string[] = [];
  // Of a file with unregistered types only what stands between known nodes is a reference.
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
    if (b.class_type !== undefined && a._meta.title !== b._meta.title) {
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

describe.skipIf(corpusFolder === undefined)(`conversions of the real editor${corpusNote}`, () => {
  it.each(['core', 'core+24packs'])('are the same with the definitions of %s', (dump) => {
    const catalog = Catalog.fromText(corpusText('object_info', `comfyui-0.33.0-${dump}.json`));
    const index = JSON.parse(corpusText('golden_ui2api', `index.${dump}.json`)) as GoldenIndex;
    const names = corpusNames('golden_ui2api', dump);
    const lines: string[] = [];
    const count = { whole: 0, alike: 0, partly: 0, partlyAlike: 0 };
    for (const name of names) {
      const isPartly = Object.hasOwn(index.missing, name);
      const document = parseJson(corpusText('workflows', 'ui', name));
      if (!document.root) throw new Error(`${name} is no JSON`);
      const made = compileGraph(document, document.root, catalog, { dynamicPrompts: 'first' });
      const real = JSON.parse(corpusText('golden_ui2api', dump, name)) as PlainPrompt;
      const found =
        made.kind === 'failed'
          ? [made.problem.message]
          : differences(JSON.parse(made.promptText) as PlainPrompt, real, isPartly);
      if (isPartly) {
        count.partly++;
        if (found.length === 0) count.partlyAlike++;
        if (found.length > 0 && process.env.SHOW_PARTLY !== undefined)
          lines.push(`(partly) ${name}`, ...found.slice(0, 6).map((each) => `    ${each}`));
      } else {
        count.whole++;
        if (found.length === 0) count.alike++;
        else lines.push(name, ...found.slice(0, 12).map((each) => `    ${each}`));
      }
    }
    process.stdout.write(
      `${dump}: ${JSON.stringify(count)} ${((100 * count.alike) / count.whole).toFixed(2)} %\n${lines.join('\n')}\n`,
    );
    for (const [name, message] of Object.entries(index.errs)) {
      const document = parseJson(corpusText('workflows', 'ui', name));
      const made = document.root && compileGraph(document, document.root, catalog, {});
      process.stdout.write(
        `refused: ${name}: ${message}; ours: ${made?.kind === 'failed' ? made.problem.message : 'compiled'}\n`,
      );
    }
    expect(count.alike / count.whole).toBeGreaterThanOrEqual(0.99);
  });
});
