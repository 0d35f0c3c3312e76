import type { JsonRange } from '../../json/node';
import type { ExpandedInput } from '../../catalog/dynamic';
import type { InputSpec, NamedSpec } from '../../catalog/inputSpec';
import type { NodeDefinition, OutputDefinition } from '../../catalog/nodeDefinition';
import type { ExactValue } from '../../json/exactValue';
import { writeExact } from '../../json/exactWriter';
import { inputTypeText, typeText } from '../places/nodeInputs';
import { nodePrice, type PricedInputs } from '../price/nodePrice';
import { budgets } from '../../safety/budgets';
import { escapeMarkdown } from '../../safety/escapeMarkdown';
import { plainText } from '../../safety/plainText';

/** Markdown about a piece of text. Words that came from a server or a file are escaped in it. */
export interface Hover extends JsonRange {
  readonly markdown: string;
}

/** More inputs, outputs or options than this are counted, not listed. */
const mostListed = 30;

/** Text that came from a server or a file, for Markdown: it can be no link, no picture, no HTML and no command. */
export function escaped(text: string): string {
  return escapeMarkdown(plainText(text, 'kept', budgets.hoverText)).replaceAll('\n', '  \n');
}

/** Text as code, whatever it holds. */
export function code(text: string): string {
  const line = plainText(text);
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return line === '' ? '(empty)' : `${fence}${space}${line}${space}${fence}`;
}

/** What a class is: names, where it comes from, what to know about it, inputs and outputs; what one node of it costs. */
export function classMarkdown(definition: NodeDefinition, priced?: PricedInputs): string {
  const { classType, displayName, description, category } = definition;
  const origin = [category === '' ? '' : escaped(category), packText(definition)].filter(
    (each) => each !== '',
  );
  return paragraphs([
    `**${escaped(displayName)}**${displayName === classType ? '' : ` — ${code(classType)}`}`,
    origin.join(' · '),
    marksOf(definition, priced).join('  \n'),
    escaped(description.trim()),
    list('Inputs', definition.inputs, inputLine),
    list('Outputs', definition.outputs, outputLine),
  ]);
}

/** What an input takes. */
export function inputMarkdown({ name, section, spec }: NamedSpec | ExpandedInput): string {
  const shown =
    spec.displayName === undefined || spec.displayName === name ? '' : ` — ${escaped(spec.displayName)}`;
  return paragraphs([
    `**${escaped(name)}**${shown}: ${code(inputTypeText(spec))}${section === 'optional' ? ', optional' : ''}`,
    escaped(spec.tooltip?.trim() ?? ''),
    factsOf(spec).join('  \n'),
  ]);
}

/** An output of a node, as the source of a link. */
export function outputMarkdown(output: OutputDefinition, slot: number): string {
  const list = output.isList ? ' (a list)' : '';
  const tooltip = output.tooltip === undefined ? '' : `\n\n${escaped(output.tooltip)}`;
  return `Output ${slot}: **${escaped(output.name)}** ${code(typeText(output.type))}${list}${tooltip}`;
}

export function paragraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

function packText({ pythonModule }: NodeDefinition): string {
  if (pythonModule === '') return '';
  const pack = /^custom_nodes\.(.+)$/.exec(pythonModule)?.[1];
  if (pack !== undefined) return `from the pack ${escaped(pack)}`;
  return pythonModule.startsWith('comfy_api_nodes') ? 'partner node' : 'part of ComfyUI';
}

function marksOf(definition: NodeDefinition, priced: PricedInputs | undefined): string[] {
  const price = nodePrice(definition, priced);
  return [
    ...(definition.deprecated ? ['⚠ **Deprecated**: it may go away; look for what took its place.'] : []),
    ...(definition.experimental ? ['**Experimental**: it may change.'] : []),
    ...(definition.apiNode
      ? [
          `**Paid**: runs on a partner service and spends credits. ${price === undefined ? '' : escaped(price)}`.trim(),
        ]
      : []),
    ...(definition.isOutputNode ? ['Output node: a run ends here.'] : []),
  ];
}

function inputLine({ name, section, spec }: NamedSpec): string {
  const value =
    spec.default === undefined || spec.default === null
      ? ''
      : ` = ${code(shortened(writeExact(spec.default)))}`;
  return `${code(name)} ${escaped(inputTypeText(spec))}${value}${section === 'optional' ? ', optional' : ''}`;
}

function outputLine(output: OutputDefinition, slot: number): string {
  return `${slot}: ${code(output.name)} ${escaped(typeText(output.type))}${output.isList ? ', a list' : ''}`;
}

function list<T>(title: string, entries: readonly T[], line: (entry: T, index: number) => string): string {
  if (entries.length === 0) return '';
  const lines = entries.slice(0, mostListed).map((entry, index) => `- ${line(entry, index)}`);
  const rest = entries.length - lines.length;
  return [`${title}:`, '', ...lines, ...(rest > 0 ? [`- … and ${rest} more`] : [])].join('\n');
}

function factsOf(spec: InputSpec): string[] {
  const facts: string[] = [];
  const fact = (name: string, value: ExactValue | undefined): void => {
    if (value !== undefined && value !== null) facts.push(`${name}: ${code(shortened(writeExact(value)))}`);
  };
  fact('Default', spec.default);
  if (spec.kind === 'int' || spec.kind === 'float') {
    fact('Minimum', spec.min);
    fact('Maximum', spec.max);
    fact('Step', spec.step);
  }
  if (spec.kind === 'combo') facts.push(optionsText(spec.choices, spec.remote !== undefined));
  if (spec.kind === 'dynamicCombo')
    facts.push(
      optionsText(
        spec.branches.map(({ key }) => key),
        false,
      ),
    );
  if (spec.kind === 'combo' && spec.upload) facts.push(`Names an uploaded file (${spec.upload}).`);
  if (spec.kind === 'string' && spec.dynamicPrompts)
    facts.push('The web editor picks one of `{a|b}`; a server takes the text as it is.');
  if (spec.lazy) facts.push('Evaluated only when it is needed.');
  return facts;
}

function optionsText(options: readonly ExactValue[], isRemote: boolean): string {
  if (isRemote && options.length === 0) return 'Options come from another service.';
  const shown = options.slice(0, mostListed).map((each) => code(shortened(writeExact(each))));
  const rest = options.length - shown.length;
  return options.length === 0
    ? 'No options on this server.'
    : `Options: ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function shortened(text: string): string {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
