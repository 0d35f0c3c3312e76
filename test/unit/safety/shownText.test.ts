import { describe, expect, it } from 'vitest';
import { shown, Shown, ShownLink, shownList } from '../../../src/core/safety/shownText';

/** What VS Code turns into a link in a notification (linkedText.ts). */
const vsCodeLink = /\[([^\]]+)\]\(((?:https?:\/\/|command:|file:)[^)\s]+)(?: (["'])(.+?)(\3))?\)/gi;
/** What VS Code turns into an icon (iconLabels.ts). */
const vsCodeIcon = /(\\)?\$\(([A-Za-z0-9-]+(?:~[A-Za-z]+)?)\)/g;

describe('links', () => {
  const link = '[Sign in](command:canary?%5B%5D)';

  it.each([
    ['alone', shown`${link}`],
    ['inside of our sentence', shown`Could not run: ${link}.`],
    ['in another shown text', shown`Could not run: ${shown`see ${link}`}`],
    ['in capitals', shown`${'[Sign in](COMMAND:canary)'}`],
    ['to a page', shown`${'[Sign in](https://example.invalid/)'}`],
    ['to a file', shown`${'[Sign in](file:///etc/hosts)'}`],
    ['with a title', shown`${'[Sign in](command:canary "Sign in")'}`],
    ['behind a zero-width space', shown`${'[Sign in]\u200B(command:canary)'}`],
    ['behind a line break', shown`${'[Sign\nin](command:canary)'}`],
    ['with a control inside of the scheme', shown`${'[Sign in](com\u0000mand:canary)'}`],
    ['with a joiner inside of the scheme', shown`${'[Sign in](com\u2060mand:canary)'}`],
    ['of two values', shown`${'[Sign in]'}${'(command:canary)'}`],
    ['with our own brackets', shown`[${'Sign in'}](${'command:canary'})`],
    ['that begins in our sentence', shown`[Sign in]${'(command:canary)'}`],
    ['in a list', shownList(['[Sign in](command:one)', '[Sign in](command:two)'])],
    ['that lies in several values', Shown.join(['[Sign in](', 'command:', 'canary)'], shown``)],
  ])('are text: %s', (_name, text) => {
    expect(text.line()).not.toMatch(vsCodeLink);
    expect(text.lines()).not.toMatch(vsCodeLink);
  });

  it('stay readable', () => {
    expect(shown`Could not run: ${link}`.line()).toBe('Could not run: [Sign in] (command:canary?%5B%5D)');
  });

  it.each(['photo [1](2).json', 'a[0](b)', 'C:\\work (old)\\[x].json', 'f(x)[y]'])(
    'leave the file name %s alone',
    (name) => {
      expect(shown`${name}`.line()).toBe(name);
    },
  );
});

describe('icons', () => {
  it.each([
    ['of a value', shown`${'$(trash) gone'}`],
    ['that turn', shown`${'$(sync~spin)'}`],
    ['of two values', shown`${'$'}${'(trash)'}`],
    ['that our sentence begins', shown`It costs $${'(trash)'}`],
    ['that our sentence ends', shown`(${'$(trash'})`],
    ['in another shown text', shown`${shown`${'$(trash)'}`}`],
    ['behind a format character', shown`${'$\u200D(trash)'}`],
  ])('are text: %s', (_name, text) => {
    expect(text.line()).not.toMatch(vsCodeIcon);
  });

  it('are kept if they are our own', () => {
    expect(shown`$(server) ${'$(trash)'} ${shown`$(key)`}`.line()).toBe('$(server) $ (trash) $(key)');
  });
});

describe('characters that act', () => {
  const all = [
    ...['\u0000', '\u0007', '\u001B[2J', '\u009B', '\u007F'],
    ...['\u202A', '\u202B', '\u202C', '\u202D', '\u202E', '\u2066', '\u2067', '\u2068', '\u2069'],
    ...['\u200B', '\u200C', '\u200D', '\u200E', '\u200F', '\u061C', '\uFEFF', '\u2060', '\u00AD'],
    ...['\u{E0001}', '\u{E0041}', '\u{E007F}', '\u{E0100}', '\uFE00', '\u115F', '\u3164', '\uFFA0'],
    ...['\u2028', '\u2029', '\u0085', '\uD800', '\uDC00', '\uFFFE', '\uFFF9'],
  ];
  const acts = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

  it('never reach single-line text', () => {
    expect(shown`a${all.join('x')}b`.line()).not.toMatch(acts);
  });

  it('never reach multi-line text, where only our own line breaks are kept', () => {
    const text = shown`Files:\n${`one${all.join('x')}\r\n\u2028two`}\nEnd`.lines();
    expect(text).toMatch(/^Files:\none[^\n]*two\nEnd$/);
    expect(text.replaceAll('\n', '')).not.toMatch(acts);
  });

  it('turn a line break into one space', () => {
    expect(shown`${'first \r\n\t second\n'}.`.line()).toBe('first second.');
  });

  it.each(['👩‍🔬', '🏳️‍🌈', '❤️', '5️⃣', '👍🏽', 'שלום', 'naïve', '日本語'])('leave %s alone', (text) => {
    expect(shown`${text}`.line()).toBe(text);
  });
});

describe('length', () => {
  it('is bounded per value, at a whole character', () => {
    const text = shown`${'x'.repeat(998)}${'🙂🙂🙂'}${'😀'.repeat(900)}!`.line();
    expect(text.length).toBeLessThanOrEqual(998 + 6 + 1_000 + 1);
    expect(text).toMatch(/😀…!$/);
    expect(text).not.toMatch(/\p{Cs}/u);
  });

  it('is bounded in total by shortening the values, so that our last sentence is visible', () => {
    const text = shown`${'x'.repeat(5_000)} said: ${'y'.repeat(5_000)} Run it again.`.line(1_000);
    expect(text.length).toBeLessThanOrEqual(1_000);
    expect(text).toMatch(/… said: y+… Run it again\.$/);
  });

  it('is bounded without reading all of a huge text', () => {
    expect(shown`${'\u200B'.repeat(10_000_000)}`.line()).toBe('…');
  });
});

describe('Markdown', () => {
  it.each([
    ['[a](command:canary)', '\\[a\\]\\(command\\:canary\\)'],
    ['<b>a</b>', '\\<b\\>a\\</b\\>'],
    ['http://x www.y a@b', 'http\\://x www\\.y a\\@b'],
    ['$(trash)', '\\$\\(trash\\)'],
    ['1. a', '1\\. a'],
    ['- a\n1. b', '\\- a 1. b'],
  ])('shows %s as text', (text, markdown) => {
    expect(shown`**Said:** ${text}`.markdown()).toBe(`**Said:** ${markdown}`);
  });
});

describe('links of our own', () => {
  const text = shown`See ${new ShownLink(shown`the page of ${'[a](command:x)'}`, 'command:page?(a b)')}.`;

  it('are links in Markdown, whatever their label contains', () => {
    expect(text.markdown()).toBe('See [the page of \\[a\\]\\(command\\:x\\)](command:page?%28a%20b%29).');
  });

  it('are only their label elsewhere', () => {
    expect(text.line()).toBe('See the page of [a] (command:x).');
  });
});

describe('commands that text links to', () => {
  it('are those of its links, each once, wherever they are', () => {
    const page = new ShownLink(
      shown`Page ${new ShownLink(shown`x`, 'command:inner')}`,
      'command:page?%5B1%5D',
    );
    const text = shown`${shown`See ${page} or ${page}`}, ${new ShownLink(shown`the web`, 'https://example.org/')}`;
    expect(text.linkedCommands()).toEqual(['page', 'inner']);
  });

  it('are never named by text from outside', () => {
    expect(shown`See ${'[x](command:evil)'}.`.linkedCommands()).toEqual([]);
  });
});

describe('parts', () => {
  it('stay apart', () => {
    const text = shown`Could not run ${'a.json'}: ${3} problems.`;
    expect(text.template).toEqual(['Could not run ', ': ', ' problems.']);
    expect(text.values).toEqual(['a.json', 3]);
  });

  it('are joined without empty ones', () => {
    expect(Shown.join(['a', '', shown``, undefined, shown`b`]).line()).toBe('a b');
    expect(shownList(['a', 'b', 'c'], 2).line()).toBe('a, b and 1 more');
    expect(Shown.join([]).isEmpty).toBe(true);
  });
});
