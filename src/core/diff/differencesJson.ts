import { type ExactValue, isExactList, isExactObject } from '../json/exactValue';
import { writeExact } from '../json/exactWriter';
import type { NodeMode } from '../workflow/graph/graphNode';
import type { MeantNode } from './meaning';
import type { ComparedSides, WorkflowChange, WorkflowDifferences } from './workflowDifferences';

const modes: Readonly<Record<NodeMode, number>> = { always: 0, muted: 2, bypassed: 4 };

/** The differences for programs, in one line, with every digit. The form is a contract. */
export function differencesJson({ changes, layout }: WorkflowDifferences): string {
  const list = changes.map((change) => `{${membersOf(change).join(',')}}`);
  return `{"same":${changes.length === 0},"changes":[${list.join(',')}],"layout":${layout}}`;
}

function membersOf(change: WorkflowChange): string[] {
  const { before, after } = change.node;
  const id = (node: MeantNode | undefined): string => (node ? JSON.stringify(node.id) : 'null');
  const type = JSON.stringify((after ?? before)?.type ?? null);
  const input = 'input' in change ? [`"input":${JSON.stringify(change.input)}`] : [];
  const members = [
    `"kind":${JSON.stringify(change.kind)}`,
    `"node":{"before":${id(before)},"after":${id(after)},"type":${type}}`,
    ...input,
  ];
  switch (change.kind) {
    case 'added':
    case 'removed':
      return members;
    case 'mode':
      return [...members, ...sides(change, (mode) => String(modes[mode]))];
    case 'link':
      return [...members, ...sides(change, ([source, slot]) => `[${JSON.stringify(source)},${slot}]`)];
    default:
      return [...members, ...sides<ExactValue>(change, jsonValue)];
  }
}

function sides<T>({ before, after }: ComparedSides<T | undefined>, write: (value: T) => string): string[] {
  const text = (value: T | undefined): string => (value === undefined ? 'null' : write(value));
  return [`"before":${text(before)}`, `"after":${text(after)}`];
}

/** Strict JSON: what it can't express as a number is a text. */
function jsonValue(value: ExactValue): string {
  if (isExactList(value)) return `[${value.map(jsonValue).join(',')}]`;
  if (isExactObject(value)) {
    return `{${Array.from(value, ([name, member]) => `${JSON.stringify(name)}:${jsonValue(member)}`).join(',')}}`;
  }
  const text = writeExact(value);
  return typeof value === 'number' && !Number.isFinite(value) ? JSON.stringify(text) : text;
}
