/** The part of package.json that VS Code reads, as far as its names must match the code. */
export interface Manifest {
  readonly icon?: string;
  readonly activationEvents?: readonly string[];
  readonly capabilities?: {
    readonly untrustedWorkspaces?: { readonly restrictedConfigurations?: readonly string[] };
  };
  readonly contributes: {
    readonly commands?: readonly {
      readonly command: string;
      readonly title?: string;
      readonly icon?: string;
      readonly enablement?: string;
    }[];
    readonly configuration?: { readonly properties: Readonly<Record<string, SettingDeclaration>> };
    readonly keybindings?: readonly { readonly command: string; readonly when?: string }[];
    readonly menus?: Readonly<
      Record<string, readonly { readonly command?: string; readonly when?: string }[]>
    >;
    readonly views?: Readonly<Record<string, readonly { readonly id: string; readonly when?: string }[]>>;
    readonly viewsContainers?: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly walkthroughs?: readonly { readonly id: string }[];
    readonly customEditors?: readonly { readonly viewType: string }[];
  };
}

interface SettingDeclaration {
  readonly scope?: string;
  readonly description?: string;
  readonly markdownDescription?: string;
}

export interface ContributionTables {
  readonly commands: Table;
  readonly views: Table;
  readonly webviewPanels: Table;
  readonly customEditors: Table;
  readonly walkthroughs: Table;
  readonly settings: Table;
  readonly contextKeys: Table;
}
type Table = Readonly<Record<string, string>>;

export interface SourceFile {
  readonly file: string;
  readonly text: string;
}

const tablesFile = 'src/host/platform/contributions.ts';
const registryFile = 'src/host/platform/commandRegistry.ts';

/**
 * Where manifest and code disagree, one sentence each; empty if all is well.
 * @param hasFile says whether a path relative to the manifest exists.
 */
export function manifestProblems(
  manifest: Manifest,
  tables: ContributionTables,
  sources: readonly SourceFile[],
  hasFile: (file: string) => boolean,
): readonly string[] {
  const { contributes } = manifest;
  const declared = {
    commands: (contributes.commands ?? []).map(({ command }) => command),
    views: [contributes.viewsContainers, contributes.views].flatMap((places) =>
      Object.values(places ?? {}).flatMap((entries) => entries.map(({ id }) => id)),
    ),
    walkthroughs: (contributes.walkthroughs ?? []).map(({ id }) => id),
    settings: Object.keys(contributes.configuration?.properties ?? {}),
    customEditors: (contributes.customEditors ?? []).map(({ viewType }) => viewType),
  };
  return [
    ...(['commands', 'views', 'walkthroughs', 'settings', 'customEditors'] as const).flatMap((kind) =>
      difference(kind, declared[kind], Object.values(tables[kind])),
    ),
    ...settingProblems(contributes.configuration?.properties ?? {}),
    ...contextKeyProblems(manifest, tables),
    ...namesInTexts(manifest, tables),
    ...paletteTwins(manifest),
    ...unusedNames(tables, sources),
    ...strayNames(tables, sources),
    ...filesIn(manifest)
      .filter((file) => !hasFile(file))
      .map((file) => `package.json names ${file}, which is not there.`),
  ];
}

function difference(
  kind: string,
  inManifest: readonly string[],
  inCode: readonly string[],
): readonly string[] {
  return [
    ...inManifest
      .filter((name) => !inCode.includes(name))
      .map((name) => `${kind}: ${name} is in package.json only.`),
    ...inCode
      .filter((name) => !inManifest.includes(name))
      .map((name) => `${kind}: ${name} is in ${tablesFile} only.`),
  ];
}

/** Without a scope a workspace may set it; a workspace must not decide where a server is or what is run. */
function settingProblems(properties: Readonly<Record<string, SettingDeclaration>>): readonly string[] {
  return Object.entries(properties).flatMap(([name, { scope, description, markdownDescription }]) => [
    ...(scope === undefined ? [`settings: ${name} has no scope.`] : []),
    ...((description ?? markdownDescription) === undefined ? [`settings: ${name} has no description.`] : []),
  ]);
}

function contextKeyProblems(manifest: Manifest, tables: ContributionTables): readonly string[] {
  const clauses = [
    ...valuesOf(manifest, 'when'),
    ...valuesOf(manifest, 'enablement'),
    ...contextEvents(manifest),
  ];
  const named = new Set(clauses.flatMap(ownNames));
  const keys = Object.values(tables.contextKeys);
  // `config.` before a name makes it a setting.
  const { views, webviewPanels, customEditors, settings } = tables;
  const others = [views, webviewPanels, customEditors, settings].map((table) => Object.values(table));
  const known = [keys, ...others].flat();
  return [
    ...[...named]
      .filter((name) => !known.includes(name))
      .map((name) => `A when-clause reads ${name}, which nobody sets.`),
    ...keys.filter((name) => !named.has(name)).map((name) => `contextKeys: no when-clause reads ${name}.`),
  ];
}

/** Of two commands with one title, VS Code shows the raw IDs so that they can be told apart. */
function paletteTwins({ contributes: { commands = [], menus = {} } }: Manifest): readonly string[] {
  const hidden = (menus['commandPalette'] ?? []).filter(({ when }) => when === 'false');
  const shown = commands.filter(({ command }) => !hidden.some((entry) => entry.command === command));
  return shown.flatMap(({ command, title }, index) => {
    const twin = shown.slice(0, index).find((other) => title !== undefined && other.title === title);
    return twin ? [`commands: ${twin.command} and ${command} have one title in the palette.`] : [];
  });
}

/** Links such as command:comfyDeck.run in welcome texts, and names in events and restrictions. */
function namesInTexts(manifest: Manifest, tables: ContributionTables): readonly string[] {
  const text = JSON.stringify(manifest);
  const known = {
    'command:': Object.values(tables.commands),
    'onCommand:': Object.values(tables.commands),
    'onView:': Object.values(tables.views),
    'onWebviewPanel:': Object.values(tables.webviewPanels),
    '#': Object.values(tables.settings),
  };
  const wrongLinks = Object.entries(known).flatMap(([before, names]) =>
    [...text.matchAll(new RegExp(`(?<![\\w])${before}(comfyDeck[\\w.]*)`, 'g'))]
      .map((match) => match[1] ?? '')
      .filter((name) => !names.includes(name))
      .map((name) => `package.json names ${before}${name}, which doesn't exist.`),
  );
  const entries = [
    ...(manifest.contributes.keybindings ?? []),
    ...Object.values(manifest.contributes.menus ?? {}).flat(),
  ];
  const wrongCommands = entries
    .flatMap(({ command }) => (command === undefined ? [] : [command]))
    .filter((command) => !Object.values(tables.commands).includes(command))
    .map((command) => `A menu or key runs ${command}, which doesn't exist.`);
  const wrongRestrictions = (manifest.capabilities?.untrustedWorkspaces?.restrictedConfigurations ?? [])
    .filter((name) => !Object.values(tables.settings).includes(name))
    .map((name) => `capabilities restricts ${name}, which is no setting.`);
  return [...wrongLinks, ...wrongCommands, ...wrongRestrictions];
}

/** A name in a table that no code uses: a command that is not registered, a setting that is not read. */
function unusedNames(tables: ContributionTables, sources: readonly SourceFile[]): readonly string[] {
  const code = sources.filter(({ file }) => file !== tablesFile).map(({ text }) => text);
  return (['commands', 'settings', 'contextKeys', 'webviewPanels', 'customEditors'] as const).flatMap(
    (kind) =>
      Object.keys(tables[kind])
        .filter((key) => !code.some((text) => new RegExp(`\\b${kind}\\.${key}\\b`).test(text)))
        .map((key) => `${kind}: no code uses ${kind}.${key}.`),
  );
}

/** Names written out instead of taken from the table, and commands registered elsewhere. */
function strayNames(tables: ContributionTables, sources: readonly SourceFile[]): readonly string[] {
  const known = Object.values(tables).flatMap((table: Table) => Object.values(table));
  return sources
    .filter(({ file }) => file !== tablesFile)
    .flatMap(({ file, text }) => [
      ...[...text.matchAll(/['"`](comfyDeck\.[\w.]+)['"`]/g)]
        .map((match) => match[1] ?? '')
        .filter((name) => !known.includes(name))
        .map((name) => `${file} names ${name}, which ${tablesFile} does not have.`),
      ...(file !== registryFile && /commands\s*\.register(TextEditor)?Command\(/.test(text)
        ? [`${file} registers a command past ${registryFile}.`]
        : []),
    ]);
}

function filesIn(manifest: Manifest): readonly string[] {
  const media = ['icon', 'light', 'dark', 'image', 'svg', 'markdown'].flatMap((key) =>
    valuesOf(manifest, key),
  );
  return [...new Set(media)].filter((value) => !value.startsWith('$('));
}

function contextEvents(manifest: Manifest): readonly string[] {
  return [...JSON.stringify(manifest).matchAll(/"onContext:([^"]*)"/g)].map((match) => match[1] ?? '');
}

/** Our names in a when-clause, outside of strings and regular expressions. */
function ownNames(clause: string): readonly string[] {
  return [...clause.matchAll(/\bcomfyDeck[\w.]*/g)].map((match) => match[0]);
}

function valuesOf(tree: unknown, key: string): readonly string[] {
  if (typeof tree !== 'object' || tree === null) return [];
  return Object.entries(tree).flatMap(([name, value]: [string, unknown]) =>
    name === key && typeof value === 'string' ? [value] : valuesOf(value, key),
  );
}
