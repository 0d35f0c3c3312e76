import { rangeEnd } from '../../json/node';
import { withoutEnd } from '../../safety/ends';
import type { TextEdit } from '../../json/textEdit';
import type { WorkflowDocument } from '../../workflow/workflowDocument';

export function wrapEdits({ text, json, prompt }: WorkflowDocument): TextEdit[] {
  const { root } = json;
  if (!root || prompt?.root !== root) return [];
  const inner = text.slice(root.offset, rangeEnd(root));
  if (!inner.includes('\n')) {
    return [
      { offset: root.offset, length: 0, newText: '{"prompt": ' },
      { offset: rangeEnd(root), length: 0, newText: '}' },
    ];
  }
  const unit = /\n([ \t]+)\S/.exec(inner)?.[1] ?? '  ';
  const eol = inner.includes('\r\n') ? '\r\n' : '\n';
  return [
    { offset: root.offset, length: 0, newText: `{${eol}${unit}"prompt": ` },
    ...lineStarts(inner).map((start) => ({ offset: root.offset + start, length: 0, newText: unit })),
    { offset: rangeEnd(root), length: 0, newText: `${eol}}` },
  ];
}

export function unwrapEdits({ text, json, shape }: WorkflowDocument): TextEdit[] {
  const { root } = json;
  if (!root || shape?.kind !== 'wrapper') return [];
  const { node } = shape;
  const inner = text.slice(node.offset, rangeEnd(node));
  const body = inner.slice(0, -1);
  const indent = body.slice(withoutEnd(body, ' \t').length);
  const lines = lineStarts(inner).flatMap((start): TextEdit[] => {
    const has = indent !== '' && inner.startsWith(indent, start);
    return has ? [{ offset: node.offset + start, length: indent.length, newText: '' }] : [];
  });
  return [
    { offset: root.offset, length: node.offset - root.offset, newText: '' },
    ...lines,
    { offset: rangeEnd(node), length: rangeEnd(root) - rangeEnd(node), newText: '' },
  ];
}

/** The starts of the lines after the first. JSON strings contain no line breaks, so all of them are layout. */
function lineStarts(text: string): number[] {
  return [...text.matchAll(/\n/g)].map(({ index }) => index + 1).filter((start) => start < text.length);
}
