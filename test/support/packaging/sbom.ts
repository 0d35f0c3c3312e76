import { createHash } from 'node:crypto';
import type { BundledPackage } from './bundledPackages';
import { enclosedParts } from './licenceRules';

export interface Product {
  readonly name: string;
  readonly version: string;
  readonly license: string;
}

/** `integrity` of the lock file by package folder. */
export interface LockFile {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly integrity?: string }>>;
}

/**
 * A software bill of materials, CycloneDX 1.6 as JSON. It contains no time and no tool, and its serial number depends
 * on its content: the same packages give the same bytes.
 */
export function sbomText(product: Product, packages: readonly BundledPackage[], lock: LockFile): string {
  const ref = `pkg:generic/${product.name}@${product.version}`;
  const components = packages.map((bundled) => componentOf(bundled, lock));
  const content = {
    metadata: {
      component: {
        type: 'application',
        'bom-ref': ref,
        name: product.name,
        version: product.version,
        licenses: [{ license: { id: product.license } }],
        purl: ref,
      },
    },
    components,
    dependencies: [
      { ref, dependsOn: components.map((component) => component['bom-ref']) },
      ...components.map((component) => ({ ref: component['bom-ref'], dependsOn: [] })),
    ],
  };
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}`,
    version: 1,
    ...content,
  };
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

function componentOf(bundled: BundledPackage, lock: LockFile) {
  const { name, version, licence } = bundled;
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const [scope, bare] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const hash = hashOf(bundled, lock);
  const parts = enclosedParts[name] ?? [];
  return {
    type: 'library',
    'bom-ref': purl,
    ...(scope === undefined ? {} : { group: scope }),
    name: bare,
    version,
    ...(hash === undefined ? {} : { hashes: [{ alg: 'SHA-512', content: hash }] }),
    licenses: licensesOf(licence),
    purl,
    ...(parts.length === 0
      ? {}
      : {
          components: parts.map((part) => ({
            type: 'library',
            'bom-ref': `${purl}#${part.name}`,
            name: part.name,
            licenses: licensesOf(part.licence),
          })),
        }),
  };
}

function licensesOf(licence: string): readonly object[] {
  return licence.includes(' ') ? [{ expression: licence }] : [{ license: { id: licence } }];
}

/** The hash of the package in the registry, which `npm ci` verifies. */
function hashOf({ name, version }: BundledPackage, { packages }: LockFile): string | undefined {
  const entry = Object.entries(packages).find(
    ([folder, locked]) => folder.endsWith(`node_modules/${name}`) && locked.version === version,
  );
  const sha512 = /^sha512-(\S+)$/.exec(entry?.[1].integrity ?? '')?.[1];
  return sha512 === undefined ? undefined : Buffer.from(sha512, 'base64').toString('hex');
}

function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
