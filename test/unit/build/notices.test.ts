import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Metafile } from '../../support/bundleFiles';
import { type BundledPackage, bundledPackages } from '../../support/packaging/bundledPackages';
import { licenceProblems } from '../../support/packaging/licenceRules';
import { noticesText } from '../../support/packaging/notices';
import { sbomText } from '../../support/packaging/sbom';

const product = { name: 'product', version: '1.2.3', license: 'MIT' };

describe('what is bundled', () => {
  it('is what the build included, with every license text on the path to it', () => {
    const root = packagesOnDisk({
      'node_modules/plain/package.json': manifest('plain', '1.0.0', 'MIT'),
      'node_modules/plain/LICENSE.md': '\n  Indented plain text\r\nsecond line\n',
      'node_modules/plain/license.js': 'no text',
      'node_modules/@scope/codec/package.json': manifest('@scope/codec', '2.0.0', 'Apache-2.0'),
      'node_modules/@scope/codec/COPYING': 'scoped',
      'node_modules/@scope/codec/lib/LICENSE.codec': 'codec',
      'node_modules/@scope/codec/other/LICENSE': 'not taken',
      'node_modules/@scope/codec/node_modules/plain/package.json': manifest('plain', '0.9.0', 'ISC'),
      'node_modules/@scope/codec/node_modules/plain/NOTICE': 'older',
      'node_modules/unused/package.json': manifest('unused', '1.0.0', 'GPL-3.0'),
    });
    const meta = built({
      'dist/b.js': [
        'node_modules/plain/index.js',
        'src/own.ts',
        'node_modules/@scope/codec/lib/enc/code.wasm',
      ],
      'dist/a.js': ['node_modules/plain/more.js', 'node_modules/@scope/codec/node_modules/plain/index.js'],
      'dist/elsewhere.js': ['node_modules/unused/index.js'],
    });
    const found = bundledPackages(meta, ['dist/b.js', 'dist/a.js'], root);
    expect(found.map(({ name, version, licence, files }) => [name, version, licence, files])).toEqual([
      ['@scope/codec', '2.0.0', 'Apache-2.0', ['dist/b.js']],
      ['plain', '0.9.0', 'ISC', ['dist/a.js']],
      ['plain', '1.0.0', 'MIT', ['dist/a.js', 'dist/b.js']],
    ]);
    expect(found.map(({ texts }) => texts.map(({ file, text }) => `${file}: ${text}`))).toEqual([
      ['COPYING: scoped', 'lib/LICENSE.codec: codec'],
      ['NOTICE: older'],
      ['LICENSE.md:   Indented plain text\nsecond line'],
    ]);
  });

  it('uses the license text we keep for a package without one', () => {
    const root = packagesOnDisk({
      'node_modules/@scope/bare/package.json': manifest('@scope/bare', '1.0.0', 'MIT'),
      'licences/scope-bare.txt': 'MIT License\n',
    });
    const meta = built({ 'dist/a.js': ['node_modules/@scope/bare/index.js'] });
    expect(bundledPackages(meta, ['dist/a.js'], root)).toMatchObject([
      { texts: [{ file: 'scope-bare.txt', text: 'MIT License' }] },
    ]);
  });

  it("has no license when package.json doesn't name one in the current form", () => {
    const root = packagesOnDisk({
      'node_modules/old/package.json': '{"name":"old","version":"1.0.0","licenses":[{"type":"MIT"}]}',
    });
    const meta = built({ 'dist/a.js': ['node_modules/old/index.js'] });
    const packages = bundledPackages(meta, ['dist/a.js'], root);
    expect(packages).toMatchObject([{ licence: '', texts: [] }]);
    expect(licenceProblems(packages)).toHaveLength(2);
  });
});

describe('packaging', () => {
  it.each(['MIT', 'ISC', '0BSD', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0'])('accepts %s', (licence) => {
    expect(licenceProblems([bundled({ licence })])).toEqual([]);
  });

  it.each([
    'GPL-3.0-only',
    'AGPL-3.0-or-later',
    'UNLICENSED',
    'SEE LICENSE IN LICENSE',
    '',
    'mit',
    '(MIT OR GPL-3.0)',
  ])('fails on the license "%s"', (licence) => {
    expect(licenceProblems([bundled({ licence })])).toEqual([expect.stringContaining('is not on the list')]);
  });

  it('fails on a package without a license text', () => {
    expect(licenceProblems([bundled({ texts: [] })])).toEqual([
      'some@1.0.0: the package brings no licence text.',
    ]);
  });

  it('keeps the LGPL in files that can be replaced', () => {
    const licence = 'LGPL-2.1-or-later';
    expect(licenceProblems([bundled({ licence, files: ['dist/webview/decoder/worker.js'] })])).toEqual([]);
    const files = ['dist/extension.js', 'dist/webview/decoder/worker.js'];
    expect(licenceProblems([bundled({ licence, files })])).toEqual([
      expect.stringContaining('not in dist/extension.js'),
    ]);
  });
});

describe('the notices', () => {
  it('list every package once, with its location and license text', () => {
    const chunks = ['dist/chunks/one.js', 'dist/chunks/two.js'];
    const text = noticesText('Product', [
      bundled({ name: 'first', files: [...chunks, 'dist/extension.js'] }),
      bundled({ name: 'second', texts: [{ file: 'NOTICE', text: 'the second notice' }] }),
    ]);
    expect(text).toContain('- first 1.0.0 (MIT)\n- second 1.0.0 (MIT)\n');
    expect(text).toContain('In: dist/chunks, dist/extension.js\n');
    expect(text.match(/the second notice/g)).toHaveLength(1);
  });

  it('list what a package contains in compiled form', () => {
    const text = noticesText('Product', [bundled({ name: 'audio-file-decoder' })]);
    expect(text).toContain('Xiph.Org');
    expect(text).toContain('Emscripten authors');
  });
});

describe('the bill of materials', () => {
  const packages = [bundled({ name: '@scope/codec' }), bundled({ name: 'audio-file-decoder' })];
  const lock = {
    packages: {
      'node_modules/@scope/codec': {
        version: '1.0.0',
        integrity: `sha512-${Buffer.alloc(64, 1).toString('base64')}`,
      },
      'node_modules/other/node_modules/@scope/codec': { version: '2.0.0', integrity: 'sha512-AAAA' },
    },
  };

  it('is identical for identical packages and different for others', () => {
    expect(sbomText(product, packages, lock)).toBe(sbomText(product, packages, lock));
    const serial = (text: string): unknown => (JSON.parse(text) as { serialNumber: unknown }).serialNumber;
    const one = serial(sbomText(product, packages, lock));
    expect(one).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(serial(sbomText(product, packages.slice(1), lock))).not.toBe(one);
  });

  it('lists packages by package URL, with license and hash', () => {
    expect(JSON.parse(sbomText(product, packages, lock))).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      metadata: { component: { name: 'product', version: '1.2.3' } },
      components: [
        {
          'bom-ref': 'pkg:npm/%40scope/codec@1.0.0',
          group: '@scope',
          name: 'codec',
          version: '1.0.0',
          licenses: [{ license: { id: 'MIT' } }],
          hashes: [{ alg: 'SHA-512', content: '01'.repeat(64) }],
        },
        {
          name: 'audio-file-decoder',
          components: [{ name: 'ffmpeg' }, { name: 'opus' }, { name: 'emscripten' }],
        },
      ],
      dependencies: [
        { dependsOn: ['pkg:npm/%40scope/codec@1.0.0', 'pkg:npm/audio-file-decoder@1.0.0'] },
        { ref: 'pkg:npm/%40scope/codec@1.0.0' },
        { ref: 'pkg:npm/audio-file-decoder@1.0.0' },
      ],
    });
  });
});

function bundled(more: Partial<BundledPackage> = {}): BundledPackage {
  return {
    name: 'some',
    version: '1.0.0',
    licence: 'MIT',
    files: ['dist/extension.js'],
    texts: [{ file: 'LICENSE', text: 'words' }],
    ...more,
  };
}

function manifest(name: string, version: string, license: string): string {
  return JSON.stringify({ name, version, license });
}

function packagesOnDisk(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(path.join(tmpdir(), 'comfy-deck-notices-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  }
  return root;
}

function built(outputs: Readonly<Record<string, readonly string[]>>): Metafile {
  return {
    outputs: Object.fromEntries(
      Object.entries(outputs).map(([file, inputs]) => [
        file,
        { imports: [], inputs: Object.fromEntries(inputs.map((input) => [input, {}])) },
      ]),
    ),
  };
}
