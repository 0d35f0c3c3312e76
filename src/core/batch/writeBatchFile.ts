import { sourceTextIn } from '../json/textEdit';
import { parseJson } from '../json/tree';
import type { AxisSource } from './axisSource';
import type { BatchSetting, BatchSpec } from './batchFile';
import type { BatchForm } from './batchForm';

export interface OpenedBatch {
  readonly text: string;
  readonly form: BatchForm;
}

/**
 * The text of a batch file. What the form did not change stays as it was written, and so does what it does not show.
 * @param workflow path relative to the batch file
 * @param spec what the form describes: its `set` in the order of the form's axes
 */
export function writeBatchFile(
  workflow: string,
  form: BatchForm,
  spec: BatchSpec,
  opened: OpenedBatch | undefined,
): string {
  if (opened && isSame(form, opened.form)) return opened.text;
  const known = opened ? membersOf(opened.text) : [];
  const asBefore = (name: string): string | undefined => known.find((each) => each.name === name)?.text;
  const own = (name: keyof BatchForm, written: string | undefined): string | undefined =>
    opened && isSame(form[name], opened.form[name]) ? asBefore(name) : written;
  const texts = new Map<string, string | undefined>([
    ...known.map(({ name, text }) => [name, text] as const),
    ['format', '1'],
    ['workflow', asBefore('workflow') ?? JSON.stringify(workflow)],
    ['count', own('count', spec.count?.toString())],
    [
      'set',
      opened && isSame(form.axes, opened.form.axes) ? asBefore('set') : setText(form, spec.set, opened),
    ],
    ['servers', own('servers', spec.servers && listed(spec.servers.map((each) => JSON.stringify(each))))],
    ['window', own('window', spec.window?.toString())],
  ]);
  const lines = [...texts].flatMap(([name, text]) => (text === undefined ? [] : [memberText(name, text)]));
  return `{\n${lines.map((line) => `  ${line}`).join(',\n')}\n}\n`;
}

function setText(form: BatchForm, set: readonly BatchSetting[], opened: OpenedBatch | undefined): string {
  const known = opened ? membersOf(opened.text, 'set') : [];
  const lines = set.map(({ selector, source }, index) => {
    const axis = form.axes[index];
    const before = opened?.form.axes.find((each) => isSame(each, axis));
    const textBefore = before && known.find(({ name }) => name === selector)?.text;
    return `    ${memberText(selector, textBefore ?? sourceText(source))}`;
  });
  return lines.length === 0 ? '{}' : `{\n${lines.join(',\n')}\n  }`;
}

function sourceText(source: AxisSource): string {
  switch (source.kind) {
    case 'values':
      return listed(source.texts);
    case 'range': {
      const step = source.step === undefined ? '' : `, "step": ${source.step}`;
      return `{ "from": ${source.from}, "to": ${source.to}${step} }`;
    }
    case 'lines':
      return `{ ${memberText('lines', JSON.stringify(source.file))} }`;
    case 'csv': {
      const column = memberText('column', JSON.stringify(source.column));
      return `{ ${memberText('csv', JSON.stringify(source.file))}, ${column} }`;
    }
    case 'options':
      return '{ "options": true }';
    case 'prompt':
      return `{ ${memberText('prompt', JSON.stringify(source.text))} }`;
    case 'written':
      return JSON.stringify(source.text);
  }
}

function membersOf(text: string, within?: string) {
  const { root } = parseJson(text);
  const object = within === undefined || root?.kind !== 'object' ? root : root.get(within);
  if (object?.kind !== 'object') return [];
  return object.properties.flatMap(({ name, value }) =>
    value ? [{ name, text: sourceTextIn(text, value) }] : [],
  );
}

function memberText(name: string, text: string): string {
  return `${JSON.stringify(name)}: ${text}`;
}

function listed(texts: readonly string[]): string {
  return `[${texts.join(', ')}]`;
}

/** Forms that came through a message may have their members in another order. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one, inOrder) === JSON.stringify(other, inOrder);
}

function inOrder(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
