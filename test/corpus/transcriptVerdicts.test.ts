import { describe, expect, it } from 'vitest';

import { Catalog } from '../../src/core/catalog/catalog';
import { knownValidators } from '../../src/core/check/knownValidators';
import { readReplacements } from '../../src/core/catalog/nodeReplacements';
import type { NodeValidator, NodeValidators } from '../../src/core/check/validators';
import { predictVerdict, type Verdict, type VerdictOptions, verdictBody } from '../../src/core/check/verdict';
import type { JsonObject } from '../../src/core/json/node';
import { parsePythonJson } from '../../src/core/json/boundedJson';
import { sourceTextIn } from '../../src/core/json/textEdit';
import { parseJson } from '../../src/core/json/tree';
import { promptFromText } from '../../src/core/workflow/prompt';
import { corpusFolder, corpusNote, corpusText } from '../support/corpus';

interface Exchange {
  readonly name: string;
  readonly promptText: string;
  readonly status: number;
  readonly body: unknown;
}

/** Node types whose definition no server lists: their exceptions are in no definition. */
const unlisted = new Set(['OddBroken']);

/** Every prompt that was sent, with the whole answer. */
function exchanges(version: string, file: string): Exchange[] {
  return corpusText('transcripts', version, file)
    .split('\n')
    .flatMap((line, index) => {
      const root = parseJson(line).root;
      if (
        root?.kind !== 'object' ||
        textField(root, 'path') !== '/prompt' ||
        textField(root, 'method') !== 'POST'
      )
        return [];
      const request = root.get('request');
      const sent = textField(root, 'request_raw') ?? (request && sourceTextIn(line, request)) ?? '';
      const document = parseJson(sent);
      const prompt = document.root?.kind === 'object' ? document.root.get('prompt') : undefined;
      const status = root.get('status');
      if (!prompt || status?.kind !== 'number') return [];
      const promptText = sourceTextIn(sent, prompt);
      if ([...unlisted].some((classType) => promptText.includes(`"${classType}"`))) return [];
      const body = root.get('body');
      const note = `${file}:${index + 1} ${textField(root, 'note') ?? ''}`;
      return [
        {
          name: note,
          promptText,
          status: status.value,
          body: body && parsePythonJson(sourceTextIn(line, body)),
        },
      ];
    });
}

/** The definitions of the core and of the pack that the transcripts were made with. */
function definitions(): Catalog {
  const core = corpusText('object_info', 'comfyui-0.33.0-core.json').trim();
  const odd = corpusText('transcripts', '0.33.0', 'odd-nodes.ndjson')
    .split('\n')
    .flatMap((line) => {
      const root = parseJson(line).root;
      if (root?.kind !== 'object' || !textField(root, 'path')?.startsWith('/object_info/Odd')) return [];
      const body = root.get('body');
      return body ? [sourceTextIn(line, body).trim().slice(1, -1)] : [];
    });
  // That server had one fictional model; of duplicate members the last one counts.
  const loader =
    '"CheckpointLoaderSimple": {"input": {"required": {"ckpt_name": [["random_sd15.safetensors"]]}}, \
"output": ["MODEL", "CLIP", "VAE"]}';
  return Catalog.fromText([core.slice(0, -1), ...odd, loader].join(', ') + '}');
}

/** The node types' own checks in the transcripts, as far as their answers show them. */
const validators: NodeValidators = new Map<string, NodeValidator>([
  ...knownValidators,
  [
    'LoadImage',
    {
      ...nothing(['image']),
      check: (inputs) => {
        const image = inputs.get('image');
        return image === 'nosuch.png' ? `Invalid image file: ${image}` : true;
      },
    },
  ],
  [
    'OddValidate',
    {
      ...nothing(['n', 's']),
      check: (inputs) => {
        if (inputs.get('s') === 'boom') throw Object.assign(new Error("'boom'"), { name: 'KeyError' });
        return inputs.get('n') === 4n ? 'n may not be four' : true;
      },
    },
  ],
]);

function nothing(inputs: string[]): NodeValidator {
  return { inputs: new Set(inputs), takesAll: false, takesTypes: false };
}

function textField(node: JsonObject, name: string): string | undefined {
  const value = node.get(name);
  return value?.kind === 'string' ? value.value : undefined;
}

/** The answer for a verdict, without anything random or specific to the server's code. */
function answer(verdict: Verdict, recorded: unknown): { status: number; body: unknown } {
  if (verdict.crash) return { status: 500, body: undefined };
  if (!verdict.valid) return { status: 400, body: settled(parsePythonJson(verdictBody(verdict))) };
  const { prompt_id, number } = recorded as { prompt_id: string; number: number };
  const { node_errors } = parsePythonJson(verdictBody(verdict)) as { node_errors: unknown };
  return { status: 200, body: settled({ prompt_id, number, node_errors }) };
}

/** Sorted lines and lists, no tracebacks. */
function settled(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(settled);
    return items.every((each) => typeof each === 'object') ? items.sort(byText) : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name]) => name !== 'traceback');
  return Object.fromEntries(
    members.map(([name, member]) => {
      const isDetails = name === 'details' && typeof member === 'string';
      return [name, isDetails ? member.split('\n').sort().join('\n') : settled(member)];
    }),
  );
}

function byText(a: unknown, b: unknown): number {
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

/** Prints how many answers of a transcript match; returns those that differ. */
function compare(version: string, file: string, options: VerdictOptions): string[] {
  const catalog = definitions();
  const all = exchanges(version, `${file}.ndjson`);
  const wrong = all.flatMap(({ name, promptText, status, body }) => {
    const verdict = predictVerdict(promptFromText(promptText), catalog, { validators, ...options });
    const mine = JSON.stringify(answer(verdict, body));
    const theirs = JSON.stringify({ status, body: settled(body) });
    return mine === theirs ? [] : [`${name}\n    ${mine}\n    instead of\n    ${theirs}`];
  });
  process.stdout.write(
    `${version} ${file}: ${all.length - wrong.length} of ${all.length} answers alike\n${wrong.join('\n')}\n`,
  );
  expect(all).not.toEqual([]);
  return wrong;
}

function replacementTable(): unknown {
  return JSON.parse(corpusText('object_info', 'node_replacements_core.json'));
}

describe.skipIf(corpusFolder === undefined)(`answers of the real server${corpusNote}`, () => {
  const files = ['errors', 'odd-nodes', 'unknown-inputs', 'hang', 'success', 'media', 'interrupt'];

  it.each(files)('are predicted completely in %s', (file) => {
    expect(compare('0.33.0', file, { replacements: readReplacements(replacementTable()) })).toEqual([]);
  });

  it('are predicted with the messages of an old server', () => {
    // It iterates over a list as over an object, and fails only if the list contains something.
    const [emptyList, ...others] = compare('0.3.64', 'errors', { generation: '0.3' });
    expect(emptyList).toContain('prompt is a list');
    expect(others).toEqual([]);
  });
});
