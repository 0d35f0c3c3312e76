import { describe, expect, it } from 'vitest';
import { junitXml, xmlText } from '../../../src/core/comparison/junitXml';

describe('xmlText', () => {
  it('escapes what acts in XML', () => {
    expect(xmlText(`<a b="c">&'d'</a>]]>`)).toBe(
      '&lt;a b=&quot;c&quot;&gt;&amp;&apos;d&apos;&lt;/a&gt;]]&gt;',
    );
    expect(xmlText('a\tb\nc\rd')).toBe('a&#9;b&#10;c&#13;d');
  });

  it('contains only characters that XML 1.0 allows', () => {
    const all = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit));
    const allowed = /^a(?:&#?\w+;|[\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}])b$/u;
    expect([...all, '\u{10FFFF}'].filter((each) => !allowed.test(xmlText(`a${each}b`)))).toEqual([]);
    expect(xmlText('\u001b[31m\u0000\uFFFE')).toBe('\uFFFD[31m\uFFFD\uFFFD');
    expect(xmlText('\u{1F600}')).toBe('\u{1F600}');
  });
});

describe('junitXml', () => {
  it('has a suite per workflow and a case per output', () => {
    const xml = junitXml([
      {
        name: 'a&b.json',
        seconds: 1.25,
        cases: [
          { name: '9-1.png' },
          { name: '9-2.png', problem: { kind: 'failure', message: 'It is <b>different</b>.' } },
        ],
      },
      { name: 'c.json', seconds: 0.5, cases: [{ name: 'run', problem: { kind: 'error', message: 'No.' } }] },
    ]);
    expect(xml).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="comfy-deck test" tests="3" failures="1" errors="1" time="1.750">
  <testsuite name="a&amp;b.json" tests="2" failures="1" errors="0" time="1.250">
    <testcase classname="a&amp;b.json" name="9-1.png" time="0.000"/>
    <testcase classname="a&amp;b.json" name="9-2.png" time="0.000">
      <failure message="It is &lt;b&gt;different&lt;/b&gt;.">It is &lt;b&gt;different&lt;/b&gt;.</failure>
    </testcase>
  </testsuite>
  <testsuite name="c.json" tests="1" failures="0" errors="1" time="0.500">
    <testcase classname="c.json" name="run" time="0.000">
      <error message="No.">No.</error>
    </testcase>
  </testsuite>
</testsuites>
`);
  });
});
