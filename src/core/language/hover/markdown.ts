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
import { sentencesText, t } from '../../safety/localize';

/** Markdown about a range of text. Text from a server or a file is escaped in it. */
export interface Hover extends JsonRange {
  readonly markdown: string;
}

/** Beyond this number, inputs, outputs and options are counted instead of listed. */
const mostListed = 30;

/** Escapes text from a server or a file for Markdown: it can't be a link, image, HTML or command. */
export function escapedMarkdownText(text: string): string {
  return escapeMarkdown(plainText(text, 'kept', budgets.hoverText)).replaceAll('\n', '  \n');
}

/** Text as code, whatever it contains. */
export function markdownCode(text: string): string {
  const line = plainText(text);
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return line === '' ? t`(empty)` : `${fence}${space}${line}${space}${fence}`;
}

export function classMarkdown(definition: NodeDefinition, priced?: PricedInputs): string {
  const { classType, displayName, description, category } = definition;
  const origin = [category === '' ? '' : escapedMarkdownText(category), packText(definition)].filter(
    (each) => each !== '',
  );
  return paragraphs([
    `**${escapedMarkdownText(displayName)}**${displayName === classType ? '' : ` — ${markdownCode(classType)}`}`,
    origin.join(' · '),
    marksOf(definition, priced).join('  \n'),
    escapedMarkdownText(description.trim()),
    list(t`Inputs`, definition.inputs, inputLine),
    list(t`Outputs`, definition.outputs, outputLine),
  ]);
}

export function inputMarkdown({ name, section, spec }: NamedSpec | ExpandedInput): string {
  const shown =
    spec.displayName === undefined || spec.displayName === name
      ? ''
      : ` — ${escapedMarkdownText(spec.displayName)}`;
  const head = `**${escapedMarkdownText(name)}**${shown}: ${markdownCode(inputTypeText(spec))}`;
  return paragraphs([
    section === 'optional' ? t`${head}, optional` : head,
    escapedMarkdownText(spec.tooltip?.trim() ?? ''),
    factsOf(spec).join('  \n'),
  ]);
}

export function outputMarkdown(output: OutputDefinition, slot: number): string {
  const [name, type] = [escapedMarkdownText(output.name), markdownCode(typeText(output.type))];
  const line = t`Output ${slot}: **${name}** ${type}`;
  const head = output.isList ? t`${line}, a list` : line;
  return output.tooltip === undefined ? head : `${head}\n\n${escapedMarkdownText(output.tooltip)}`;
}

export function paragraphs(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

function packText({ pythonModule }: NodeDefinition): string {
  if (pythonModule === '') return '';
  const pack = /^custom_nodes\.(.+)$/.exec(pythonModule)?.[1];
  if (pack !== undefined) return t`from the pack ${escapedMarkdownText(pack)}`;
  return pythonModule.startsWith('comfy_api_nodes') ? t`partner node` : t`part of ComfyUI`;
}

function marksOf(definition: NodeDefinition, priced: PricedInputs | undefined): string[] {
  const price = nodePrice(definition, priced);
  return [
    ...(definition.deprecated ? [t`⚠ **Deprecated**: it may be removed. Look for its replacement.`] : []),
    ...(definition.experimental ? [t`**Experimental**: it may change.`] : []),
    ...(definition.apiNode
      ? [
          sentencesText(
            t`**Paid**: runs on a partner service and spends credits.`,
            escapedMarkdownText(price ?? ''),
          ),
        ]
      : []),
    ...(definition.isOutputNode ? [t`Output node: a run ends here.`] : []),
  ];
}

function inputLine({ name, section, spec }: NamedSpec): string {
  const value =
    spec.default === undefined || spec.default === null
      ? ''
      : ` = ${markdownCode(shortened(writeExact(spec.default)))}`;
  const line = `${markdownCode(name)} ${escapedMarkdownText(inputTypeText(spec))}${value}`;
  return section === 'optional' ? t`${line}, optional` : line;
}

function outputLine(output: OutputDefinition, slot: number): string {
  const line = `${slot}: ${markdownCode(output.name)} ${escapedMarkdownText(typeText(output.type))}`;
  return output.isList ? t`${line}, a list` : line;
}

function list<T>(title: string, entries: readonly T[], line: (entry: T, index: number) => string): string {
  if (entries.length === 0) return '';
  const lines = entries.slice(0, mostListed).map((entry, index) => `- ${line(entry, index)}`);
  const rest = entries.length - lines.length;
  return [t`${title}: `.trimEnd(), '', ...lines, ...(rest > 0 ? [`- ${t`… and ${rest} more`}`] : [])].join(
    '\n',
  );
}

function factsOf(spec: InputSpec): string[] {
  const facts: string[] = [];
  const fact = (line: (value: string) => string, value: ExactValue | undefined): void => {
    if (value !== undefined && value !== null) facts.push(line(markdownCode(shortened(writeExact(value)))));
  };
  fact((value) => t`Default: ${value}`, spec.default);
  if (spec.kind === 'int' || spec.kind === 'float') {
    fact((value) => t`Minimum: ${value}`, spec.min);
    fact((value) => t`Maximum: ${value}`, spec.max);
    fact((value) => t`Step: ${value}`, spec.step);
  }
  if (spec.kind === 'combo') {
    facts.push(optionsText(spec.choices, spec.remote !== undefined || spec.options.has('remote_combo')));
  }
  if (spec.kind === 'dynamicGroup') facts.push(t`Rows: ${spec.min} to ${spec.max}`);
  if (spec.kind === 'dynamicCombo')
    facts.push(
      optionsText(
        spec.branches.map(({ key }) => key),
        false,
      ),
    );
  if (spec.kind === 'combo' && spec.upload) facts.push(t`Name of an uploaded file (${spec.upload}).`);
  if (spec.kind === 'string' && spec.dynamicPrompts)
    facts.push(t`The ComfyUI editor picks one option of \`{a|b}\`. A server uses the text as is.`);
  if (spec.lazy) facts.push(t`Evaluated only if needed.`);
  return facts;
}

function optionsText(options: readonly ExactValue[], isRemote: boolean): string {
  if (isRemote && options.length === 0) return t`Options come from another service.`;
  const shown = options.slice(0, mostListed).map((each) => markdownCode(shortened(writeExact(each))));
  const rest = options.length - shown.length;
  if (options.length === 0) return t`No options on this server.`;
  const list = shown.join(', ');
  return t`Options: ${rest > 0 ? t`${list} and ${rest} more` : list}`;
}

function shortened(text: string): string {
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
