import { describe, expect, test } from 'vitest';
import { bypassedTexts } from '../../support/bypassedTexts';
import { withTexts } from '../../support/manifestTexts';
import { textsOnLoad } from '../../support/textsOnLoad';
import { untaggedTexts } from '../../support/untaggedTexts';
import { keysIn, textsIn, translationProblems } from '../../support/localization';

describe('texts in the sources', () => {
  test('are tagged templates with placeholders for their values', () => {
    const text = 'const a = t`Node ${id} in ${file}`; const b = shown`Run`; const c = `not ours ${a}`;';
    expect(textsIn([{ file: 'a.ts', text }])).toEqual(['Node {0} in {1}', 'Run']);
  });

  test('contain words and may be nested', () => {
    const text = 'shown`$(play) ${a}: ${b}`; shown`Run ${shown`all`}`;';
    expect(textsIn([{ file: 'a.ts', text }])).toEqual(['Run {0}', 'all']);
  });
});

describe('a text that is translated on load', () => {
  const found = (text: string): string[] => textsOnLoad([{ file: 'a.ts', text }]);

  test.each([
    'const words = { failed: t`failed` };',
    'export const table = row(t`failed`);',
    "const list = ['a'].map((each) => t`failed`);",
    'const text = (() => t`failed`)();',
    'const text = words(); function words() { return t`failed`; }',
    'class A { static readonly words = t`failed`; }',
  ])('is found: %s', (text) => {
    expect(found(text)).toEqual(['a.ts:1: failed']);
  });

  test.each([
    'const words = () => ({ failed: t`failed` });',
    'const words = { get failed() { return t`failed`; } };',
    'function words(text = t`failed`) { return text; }',
    'class A { readonly words = t`failed`; }',
    'register(() => t`failed`);',
    'const words = shown`failed`;',
  ])('is not one that is made later: %s', (text) => {
    expect(found(text)).toEqual([]);
  });
});

describe('a translation', () => {
  const english = { 'Run {0} on {1}': 'Run {0} on {1}', Stop: 'Stop' };

  test('may reorder values', () => {
    expect(
      translationProblems('zh', english, { 'Run {0} on {1}': '在 {1} 上运行 {0}', Stop: '停止' }),
    ).toEqual([]);
  });

  test('is complete, has nothing unused, and loses no value', () => {
    expect(translationProblems('zh', english, { 'Run {0} on {1}': '运行 {0}', Go: '走' })).toEqual([
      'zh lacks "Stop"',
      'zh has "Go", which nothing uses',
      'zh has other values in "Run {0} on {1}"',
    ]);
  });

  test('of the manifest is matched by key', () => {
    expect(keysIn('{"title": "%command.run.title%", "when": "a % b"}')).toEqual(['command.run.title']);
  });
});

describe('the manifest', () => {
  test('reads as in VS Code, with the text of each key', () => {
    const manifest = '{"title": "%command.run.title%", "icon": "$(play)", "when": "%unknown%"}';
    expect(withTexts(manifest, { 'command.run.title': 'Run Workflow' })).toEqual({
      title: 'Run Workflow',
      icon: '$(play)',
      when: '%unknown%',
    });
  });
});

describe('a text that bypasses the tags', () => {
  const found = (text: string): string[] => bypassedTexts([{ file: 'a.ts', text }]);

  test.each([
    ["show('Run the workflow');", 'a.ts:1: Run the workflow'],
    ['show(`Node ${id} is missing`);', 'a.ts:1: Node {} is missing'],
    ["\nconst why = 'the server has gone.';", 'a.ts:2: the server has gone.'],
    ["throw new RenameError('Choose another ID.');", 'a.ts:1: Choose another ID.'],
    ["const option = { help: 'print one line per event' };", 'a.ts:1: print one line per event'],
    ["shown`${busy ? 'No job is running' : name}`;", 'a.ts:1: No job is running'],
  ])('is found in %s', (text, place) => {
    expect(found(text)).toEqual([place]);
  });

  test.each([
    't`Run the workflow`; shown`Node ${id} is missing`;',
    "import x from 'The Module'; let a: 'Some Type';",
    "this.#log.error('Reading a file', error); log().info(`The sandbox runs at ${url}.`);",
    "if (source === 'Preview Image') throw new Error('Nobody set this.');",
    "element('div', { class: 'state text' }, 'image/png', 'node-id', 'Cancel');",
  ])('is not %s', (text) => {
    expect(found(text)).toEqual([]);
  });

  test('is allowed in a file that declares what its texts are', () => {
    const sources = [{ file: 'names.ts', text: "['Mute Relay', 'Press the button']" }];
    expect(bypassedTexts(sources, { 'names.ts': /Relay$/ })).toEqual(['names.ts:1: Press the button']);
  });
});

describe('a new text without a tag', () => {
  test.each(['src/cli/runReport.ts', 'src/sandbox/sandbox.ts'])('is reported in %s', (file) => {
    const text = "say('The server has no room left.'); const help = 'say what the server lacks';";
    const places = ['The server has no room left.', 'say what the server lacks'];
    expect(untaggedTexts([{ file, text }])).toEqual(places.map((place) => `${file}:1: ${place}`));
  });

  test('is left alone where the sandbox repeats the words of real servers', () => {
    const text = "refuse('No prompt provided');";
    expect(untaggedTexts([{ file: 'src/sandbox/routes/promptRoutes.ts', text }])).toEqual([]);
  });
});
