/** One VS Code for the tests: the version to download for the desktop, and the npm packages with the same version. */
export interface VsCodeVersion {
  readonly desktop: string;
  readonly codeServer: string;
  /** The Node version that this code-server needs; npm has its binary. */
  readonly node: string;
}

export const newest: VsCodeVersion = { desktop: '1.139.1', codeServer: '4.139.1', node: '24.21.0' };

/** The oldest VS Code that `engines.vscode` allows. */
export const oldest: VsCodeVersion = { desktop: '1.100.3', codeServer: '4.100.3', node: '20.19.0' };
