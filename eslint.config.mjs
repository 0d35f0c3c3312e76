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
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
    },
  },
  {
    files: ['src/**'],
    ignores: ['src/host/**', 'src/extension.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        { paths: [{ name: 'vscode', message: 'Only src/host and src/extension.ts talk to VS Code.' }] },
      ],
    },
  },
  {
    files: ['*.config.ts'],
    rules: { 'import-x/no-default-export': 'off' },
  },
);
