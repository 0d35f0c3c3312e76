import parser from '@typescript-eslint/parser';
import importX from 'eslint-plugin-import-x';
import regexp from 'eslint-plugin-regexp';

/**
 * Who may import whom below src/. A folder may always import itself; everything that is not listed is refused.
 * Adding a line here changes the architecture: CONTRIBUTING.md draws the same picture.
 */
const mayImport = {
  'core/safety': [],
  'core/json': ['core/safety'],
  'core/catalog': ['core/json', 'core/safety'],
  'core/workflow': ['core/catalog', 'core/json', 'core/safety'],
  'core/check': ['core/workflow', 'core/catalog', 'core/json', 'core/safety'],
  'core/language': ['core/check', 'core/workflow', 'core/catalog', 'core/json', 'core/safety'],
  'core/protocol': ['core/json', 'core/safety'],
  'core/client': ['core/protocol', 'core/json', 'core/safety'],
  'core/registry': ['core/client', 'core/protocol', 'core/json', 'core/safety'],
  'core/server': ['core/client', 'core/protocol', 'core/catalog', 'core/json', 'core/safety'],
  'core/jobs': ['core/server', 'core/client', 'core/protocol', 'core/json', 'core/safety'],
  'core/outputs': ['core/jobs', 'core/server', 'core/client', 'core/protocol', 'core/json', 'core/safety'],
  'core/diff': ['core/workflow', 'core/catalog', 'core/json', 'core/safety'],
  'core/canvas': ['core/catalog', 'core/workflow', 'core/json', 'core/safety'],
  'core/drawing': ['core/diff', 'core/workflow', 'core/catalog', 'core/json', 'core/safety'],
  'core/gallery': [
    'core/diff',
    'core/runLife',
    'core/records',
    'core/outputs',
    'core/jobs',
    'core/server',
    'core/client',
    'core/protocol',
    'core/workflow',
    'core/catalog',
    'core/json',
    'core/safety',
  ],
  'core/records': ['core/outputs', 'core/jobs', 'core/protocol', 'core/json', 'core/safety'],
  'core/runLife': [
    'core/records',
    'core/outputs',
    'core/jobs',
    'core/server',
    'core/client',
    'core/protocol',
    'core/json',
    'core/safety',
  ],
  'core/runs': [
    'core/safety',
    'core/json',
    'core/catalog',
    'core/workflow',
    'core/check',
    'core/diff',
    'core/language',
    'core/protocol',
    'core/client',
    'core/registry',
    'core/server',
    'core/jobs',
    'core/outputs',
    'core/records',
    'core/runLife',
  ],
  'core/batch': ['core'],
  'core/comparison': ['core/safety'],
  sandbox: ['core/json', 'core/protocol', 'core/catalog', 'core/workflow', 'core/check', 'core/safety'],
  cli: ['core', 'sandbox'],
  host: ['core', 'webview/contract', 'sandbox'],
  'webview/contract': [
    'core/safety',
    'core/batch',
    'core/diff',
    'core/drawing',
    'core/gallery',
    'core/records',
    'core/runLife',
    'core/runs',
  ],
  'webview/ui': ['webview/contract', 'core/safety'],
  'webview/preview': ['webview/contract', 'webview/ui', 'core/safety'],
  'webview/record': ['webview/contract', 'webview/ui', 'core/safety'],
  'webview/music': ['webview/contract', 'webview/ui', 'core/safety'],
  'webview/gallery': ['webview/contract', 'webview/ui', 'core/safety'],
  'webview/batch': ['webview/contract', 'webview/ui', 'core/safety'],
  'webview/graph': ['webview/contract', 'webview/ui', 'core/drawing', 'core/safety'],
  'webview/canvas': ['webview/contract', 'webview/ui', 'core/safety'],
  'extension.ts': ['host'],
};

/** The folders of src/host: each may import those in its line, which stand above it, platform and core. */
const hostFolders = {
  platform: [],
  servers: [],
  catalogs: ['servers'],
  outputs: ['servers'],
  runs: ['outputs', 'servers'],
  jobs: ['outputs', 'runs', 'servers'],
  gallery: ['outputs', 'runs', 'servers'],
  records: ['gallery', 'jobs', 'outputs', 'runs', 'servers'],
  preview: ['jobs', 'outputs', 'runs', 'servers'],
  music: ['outputs', 'servers'],
  registry: ['catalogs', 'servers'],
  compare: ['catalogs', 'runs'],
  language: ['catalogs', 'compare', 'gallery', 'outputs', 'records', 'runs', 'servers'],
  batch: ['catalogs', 'jobs', 'language', 'outputs', 'runs', 'servers'],
  graph: ['batch', 'catalogs', 'jobs', 'language', 'outputs', 'preview', 'records', 'runs', 'servers'],
  canvas: ['runs', 'servers'],
  tasks: ['batch', 'language', 'outputs', 'runs', 'servers'],
};

/** Those of src/sandbox. */
const sandboxFolders = {
  drawing: [],
  media: [],
  http: [],
  faults: ['http'],
  files: ['drawing', 'faults', 'http'],
  nodes: ['drawing', 'files', 'media'],
  execution: ['drawing', 'files', 'nodes'],
  events: ['execution', 'faults', 'http'],
  queue: ['execution'],
  registry: ['nodes'],
  music: ['drawing', 'faults'],
  routes: [
    'drawing',
    'events',
    'execution',
    'faults',
    'files',
    'http',
    'media',
    'music',
    'nodes',
    'queue',
    'registry',
  ],
};

/** What the folders of a place may import besides folders above them: files that stand beside the folders. */
const orders = {
  'src/host': {
    folders: hostFolders,
    beside: (folder) => (folder === 'platform' ? [] : ['platform']),
  },
  'src/sandbox': {
    folders: sandboxFolders,
    beside: (folder) => (folder === 'routes' ? ['dialect.ts', 'sandboxServer.ts'] : []),
  },
  'src/cli': { folders: { arguments: [] }, beside: () => [] },
};

for (const [place, { folders }] of Object.entries(orders)) {
  const inOrder = Object.keys(folders);
  for (const [folder, allowed] of Object.entries(folders)) {
    const below = allowed.filter((each) => inOrder.indexOf(each) >= inOrder.indexOf(folder));
    if (below.length > 0)
      throw new Error(`${place}/${folder} may not import ${below.join(', ')}: that makes a circle.`);
  }
}

const zone =
  (from) =>
  ([target, allowed]) => ({
    target: `${from}/${target}`,
    from,
    except: [target, ...allowed].map((folder) => `./${folder}`),
    message: `${target} may import only ${[target, ...allowed].join(', ')} (CONTRIBUTING.md, "Source layout").`,
  });
const zones = [
  ...Object.entries(mayImport).map(zone('./src')),
  ...Object.entries(orders).flatMap(([place, { folders, beside }]) =>
    Object.entries(folders).map(([folder, allowed]) =>
      zone(`./${place}`)([folder, [...beside(folder), ...allowed]]),
    ),
  ),
];

const noVscode = { name: 'vscode', message: 'Only src/host and src/extension.ts talk to VS Code.' };
const noUndici = {
  name: 'undici',
  message: 'It would replace the global dispatcher of the extension host. Only the command line uses it.',
};
// Not by no-restricted-imports: with names to refuse it refuses the namespace import too.
const wholeZod = {
  selector: "ImportDeclaration[source.value='zod'] > :matches(ImportSpecifier, ImportDefaultSpecifier)",
  message: "import * as z from 'zod': the named z brings 370 KB of translations into the bundle.",
};

/** Windows refuses these for moments, so one place repeats them. */
const changesFile = {
  selector:
    'ImportDeclaration[source.value=/^node:fs/] > ImportSpecifier[imported.name=/^(rename|link|unlink|rm|realpath)(Sync)?$/]',
  message: 'src/core/outputs/changeFile.ts does this: it waits out what Windows refuses for a moment.',
};

const importMeta = { selector: 'MetaProperty', message: 'What ships is CommonJS: no import.meta.' };

const everywhere = [importMeta, wholeZod, changesFile];

/** The contracts are schemas, of which the extension host has the code and a page the types. */
const typesOnly = {
  selector:
    "ImportDeclaration[importKind!='type'][source.value!='zod'][source.value!='./constants'][source.value!=/safety.budgets$/]",
  message: 'Contracts take only types from core.',
};

/** Words reach VS Code through two files, which take text from outside apart from ours. */
const saysInWindow =
  'showInformationMessage|showWarningMessage|showErrorMessage|withProgress|setStatusBarMessage|' +
  'showQuickPick|createQuickPick|showInputBox|createInputBox';
const holdsWords = 'TreeItem|MarkdownString|Diagnostic|CodeLens|QuickPickItem|NotebookCellStatusBarItem';
const words =
  'text|label|detail|tooltip|title|message|description|badge|accessibilityInformation|documentation|prompt|placeholder';
/** Files that strangers made are opened in one place, which hands none of them to the system. */
const opensElsewhere = {
  selector:
    "Literal[value=/^(vscode\\.open(With|Folder)?|revealFileInOS|revealInExplorer)$/], MemberExpression[property.name='openExternal']",
  message: 'Only src/host/platform/openFile.ts opens and reveals files: inside VS Code, never by the system.',
};
const readsWords = 'plainText|untrustedMarkdown|pictureMarkdown|markdownWithCommands';
const shownElsewhere = [
  {
    selector: `:matches(MemberExpression[property.name=/^(${saysInWindow})$/], ObjectPattern > Property[key.name=/^(${saysInWindow})$/])`,
    message: 'Only src/host/platform/show.ts calls this: it takes Shown, so no foreign text acts.',
  },
  {
    selector: `:matches(NewExpression[callee.property.name=/^(${holdsWords})$/], ClassDeclaration[superClass.property.name=/^(${holdsWords})$/])`,
    message: 'Only src/host/platform/showItems.ts makes these: it takes Shown, so no foreign text acts.',
  },
  {
    selector: `AssignmentExpression[left.type='MemberExpression'][left.property.name=/^(${words})$/]:not([right.callee.name=/^(${readsWords})$/])`,
    message: 'Words of an item are set in src/host/platform/showItems.ts, or go through plainText.',
  },
  {
    selector:
      'CallExpression[callee.property.name=/^show(Open|Save)Dialog$|^showWorkspaceFolderPick$/] Property[key.name=/^(title|openLabel|saveLabel|placeHolder)$/] > :not(Identifier, Literal, TaggedTemplateExpression[tag.name="t"][quasi.expressions.length=0])',
    message: 'The words of these dialogs are our own alone.',
  },
  {
    selector:
      'CallExpression[callee.property.name="createWebviewPanel"] > :nth-child(2):not(Literal, TaggedTemplateExpression[tag.name="t"][quasi.expressions.length=0], [callee.name="plainText"])',
    message: 'The title of a panel is our own, or goes through plainText.',
  },
];

const writesItself = {
  selector: "MemberExpression[object.name='process'][property.name=/^std(out|err)$/]",
  message: 'The terminal writes (src/cli/terminal.ts): it takes out what acts or hides.',
};

export default [
  {
    files: ['src/**/*.ts'],
    languageOptions: { parser },
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver': { typescript: true } },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones }],
      'no-restricted-imports': ['error', { paths: [noVscode, noUndici] }],
      'no-restricted-syntax': ['error', ...everywhere],
    },
  },
  {
    files: ['src/core/outputs/changeFile.ts'],
    rules: { 'no-restricted-syntax': ['error', importMeta] },
  },
  {
    // Texts of strangers go through these: one that backtracks stands still on a few hundred kilobytes.
    files: ['src/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    // Reads the signatures of our own nodes and nothing from outside.
    files: ['src/sandbox/nodes/nodeSet.ts'],
    rules: { 'regexp/no-super-linear-backtracking': 'off', 'regexp/no-super-linear-move': 'off' },
  },
  {
    files: ['src/host/**', 'src/extension.ts'],
    rules: {
      'no-restricted-imports': ['error', { paths: [noUndici] }],
      'no-restricted-syntax': ['error', ...everywhere, opensElsewhere, ...shownElsewhere],
    },
  },
  {
    files: ['src/host/platform/show.ts', 'src/host/platform/showItems.ts'],
    rules: { 'no-restricted-syntax': ['error', ...everywhere, opensElsewhere] },
  },
  {
    files: ['src/host/platform/openFile.ts'],
    rules: { 'no-restricted-syntax': ['error', ...everywhere, ...shownElsewhere] },
  },
  {
    files: ['src/webview/contract/**'],
    rules: { 'no-restricted-syntax': ['error', ...everywhere, typesOnly] },
  },
  {
    files: ['src/cli/**'],
    rules: {
      'no-restricted-imports': ['error', { paths: [noVscode] }],
      'no-restricted-syntax': ['error', ...everywhere, writesItself],
    },
  },
  {
    files: ['src/cli/main.ts'],
    rules: { 'no-restricted-syntax': ['error', ...everywhere] },
  },
];
