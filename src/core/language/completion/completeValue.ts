import type { Catalog } from '../../catalog/catalog';
import type { InputSpec, UploadKind } from '../../catalog/inputSpec';
import { isExactList } from '../../json/exactValue';
import { writeExact } from '../../json/exactWriter';
import { linkSuggestions } from './completeLink';
import { type Completion, completionsIn, type Slot, type Suggestion } from './completion';
import { isModelName } from '../../workflow/modelNames';
import { expandedInputNamed, isSocket } from '../places/nodeInputs';
import type { InputPlace } from '../places/workflowPlace';
import { t } from '../../safety/localize';

/** The names of the files from where a run uploads them. */
export type LocalNames = (kind: UploadKind) => readonly string[];

/** The values that an input accepts; if there is no value or a link, also the outputs that can be linked to it. */
export function completeValue(
  place: InputPlace,
  slot: Slot,
  catalog: Catalog | undefined,
  local: LocalNames,
): Completion[] {
  const input = expandedInputNamed(place.node, place.name, catalog);
  const node = place.json.node;
  if (node?.kind === 'object') return [];
  const values = input ? valueSuggestions(input.spec, local) : [];
  const isEmpty = node === undefined || (node.kind === 'string' && node.length <= 2);
  const wantsLinks = node?.kind === 'array' || isEmpty || (input !== undefined && isSocket(input.spec));
  if (!wantsLinks) return completionsIn(slot, values);
  const links = linkSuggestions(place, catalog).map((each) => ({
    ...each,
    rank: each.rank + (values.length > 0 ? 10 : 0),
    // Inside quotes, VS Code only matches what starts with a quote.
    ...(node?.kind === 'string' ? { words: undefined, newText: each.newText } : {}),
  }));
  return completionsIn(slot, [...values, ...links]);
}

/** The possible values of a widget of this kind: files of the workspace before those of the server. */
export function valueSuggestions(spec: InputSpec, local: LocalNames): Suggestion[] {
  switch (spec.kind) {
    case 'combo': {
      const names = spec.upload === undefined ? [] : local(spec.upload);
      const files = names.map((localFile) => {
        return { ...valueSuggestion('value', JSON.stringify(localFile), t`in this workspace`, 0), localFile };
      });
      const known = new Set<unknown>(names);
      const choices = spec.choices.filter((choice) => !known.has(choice));
      return [
        ...files,
        ...choices.map((choice) => {
          const isDefault = choice === spec.default;
          const kind = typeof choice === 'string' && isModelName(choice) ? 'model' : 'value';
          return valueSuggestion(kind, writeExact(choice), isDefault ? 'default' : undefined, 0);
        }),
      ];
    }
    case 'dynamicCombo':
      return spec.branches.map(({ key, inputs }) => {
        const adds = inputs.map(({ name }) => name).join(', ');
        return valueSuggestion('value', writeExact(key), adds === '' ? undefined : t`with ${adds}`, 0);
      });
    case 'boolean':
      return [true, false].map((value) => {
        const label = value ? spec.labelOn : spec.labelOff;
        const detail = [label, value === spec.default ? 'default' : undefined].filter(
          (each) => each !== undefined,
        );
        return valueSuggestion('value', String(value), detail.join(', '), 0);
      });
    case 'int':
    case 'float':
      return numberSuggestions(spec);
    default: {
      const { default: given = null } = spec;
      // A list would be a link.
      const isGiven = given !== null && given !== '' && !isExactList(given);
      return isGiven ? [valueSuggestion('value', writeExact(given), 'default', 0)] : [];
    }
  }
}

function numberSuggestions(spec: Extract<InputSpec, { kind: 'int' | 'float' }>): Suggestion[] {
  const named = [
    ['default', spec.default],
    ['minimum', spec.min],
    ['maximum', spec.max],
  ] as const;
  const seen = new Set<string>();
  return named.flatMap(([detail, value], index) => {
    if (typeof value !== 'bigint' && typeof value !== 'number') return [];
    const text = writeExact(value);
    if (seen.has(text)) return [];
    seen.add(text);
    return [valueSuggestion('value', text, detail, index)];
  });
}

function valueSuggestion(
  kind: 'value' | 'model',
  text: string,
  detail: string | undefined,
  rank: number,
): Suggestion {
  return { kind, label: labelOf(text), newText: text, rank, detail };
}

/** A text without its quotes; an empty one with them. */
function labelOf(text: string): string {
  return text.startsWith('"') && text !== '""' ? (JSON.parse(text) as string) : text;
}
