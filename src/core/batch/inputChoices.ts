import { makeValueField, type ValueField } from '../check/valueField';
import { sourceTextIn } from '../json/textEdit';
import type { BatchInput } from './batchInputs';
import { valueShown } from './batchWords';
import { inputName, inputNames } from './selectInput';

export interface InputChoice {
  readonly selector: string;
  readonly value: string;
  readonly field: ValueField;
}

const mostShown = 80;

/** Lists each input once, by title or node type if that is unique, otherwise by node ID. */
export function inputChoices(inputs: readonly BatchInput[], text: string): InputChoice[] {
  const named = new Map<string, Set<number>>();
  const settable = inputs.flatMap((each) => (each.value ? [{ ...each, value: each.value }] : []));
  const ids = new Set(inputs.flatMap(inputNames).map(({ nodeId }) => nodeId));
  for (const each of settable) {
    for (const { nodeName, classType, input } of inputNames(each)) {
      for (const node of new Set([nodeName, classType ?? nodeName])) {
        const name = named.get(`${node}\n${input}`) ?? new Set();
        named.set(`${node}\n${input}`, name.add(each.value.offset));
      }
    }
  }
  const seen = new Set<number>();
  return settable.flatMap((each) => {
    const { nodeName, input, value } = each;
    if (seen.has(value.offset)) return [];
    seen.add(value.offset);
    // An ID counts before titles.
    const isClear = named.get(`${nodeName}\n${input}`)?.size === 1 && !ids.has(nodeName);
    const choice: InputChoice = {
      selector: isClear && nodeName !== '' ? `${quoted(nodeName)}.${input}` : inputName(each),
      value: shortened(valueShown(sourceTextIn(text, value))),
      field: makeValueField(each.spec, value),
    };
    return [choice];
  });
}

function quoted(title: string): string {
  return /^[^\s."][^."]*$/.test(title) && title.trim() === title ? title : JSON.stringify(title);
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > mostShown ? `${line.slice(0, mostShown)}…` : line;
}
