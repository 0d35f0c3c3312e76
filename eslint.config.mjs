import js from '@eslint/js';
import importX from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/**
 * Who may import whom below src/. A folder may always import itself; everything that is not listed is refused.
 * Adding a line here changes the architecture: CONTRIBUTING.md draws the same picture.
 */
const mayImport = {
  'core/json': [],
  'core/catalog': ['core/json'],
  'core/workflow': ['core/catalog', 'core/json'],
  'core/check': ['core/workflow', 'core/catalog', 'core/json'],
  'core/language': ['core/check', 'core/workflow', 'core/catalog', 'core/json'],
  'core/protocol': ['core/json'],
  'core/client': ['core/protocol', 'core/json'],
  'core/jobs': ['core/client', 'core/protocol', 'core/json'],
  'core/outputs': ['core/jobs', 'core/client', 'core/protocol', 'core/json'],
  'core/runs': ['core'],
  sandbox: ['core/json', 'core/protocol', 'core/catalog', 'core/workflow', 'core/check'],
  cli: ['core', 'sandbox'],
  host: ['core', 'webview/contract', 'sandbox'],
  'webview/contract': [],
  'webview/ui': ['webview/contract'],
  'webview/preview': ['webview/contract', 'webview/ui'],
  'webview/music': ['webview/contract', 'webview/ui'],
  'extension.ts': ['host'],
};

const zones = Object.entries(mayImport).map(([target, allowed]) => ({
  target: `./src/${target}`,
  from: './src',
  except: [target, ...allowed].map((folder) => `./${folder}`),
  message: `src/${target} may import only ${[target, ...allowed].join(', ')} (CONTRIBUTING.md, "The house").`,
}));

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

export default tseslint.config(
  { ignores: ['dist/', 'out/', 'node_modules/', '.vscode-test/', 'demo-output/', '**/*.mjs', '**/*.cjs'] },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    plugins: { 'import-x': importX },
    settings: { 'import-x/resolver': { typescript: true } },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones }],
      'import-x/no-default-export': 'error',
      'import-x/no-cycle': ['error', { maxDepth: 6 }],
      'no-console': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
    },
  },
  {
    files: ['src/**'],
    rules: {
      'no-restricted-imports': ['error', { paths: [noVscode, noUndici] }],
      'no-restricted-syntax': [
        'error',
        { selector: 'MetaProperty', message: 'What ships is CommonJS: no import.meta.' },
        wholeZod,
      ],
    },
  },
  {
    files: ['src/host/**', 'src/extension.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: [noUndici] }] },
  },
  {
    files: ['src/cli/**'],
    rules: { 'no-restricted-imports': ['error', { paths: [noVscode] }] },
  },
  {
    // A runner's output on the terminal is its product.
    files: ['test/support/**', 'test/server/**', 'test/bench/**'],
    rules: { 'no-console': 'off' },
  },
  {
    files: ['**/*.config.ts'],
    rules: { 'import-x/no-default-export': 'off' },
  },
);
