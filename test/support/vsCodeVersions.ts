/** One VS Code for the tests: the version a desktop download is asked for, and the npm packages that bring the same. */
export interface VsCodeVersion {
  readonly desktop: string;
  readonly codeServer: string;
  /** The Node that this code-server was made for; npm carries its binary. */
  readonly node: string;
}

export const newest: VsCodeVersion = { desktop: '1.139.1', codeServer: '4.139.1', node: '24.21.0' };

/** The oldest VS Code that `engines.vscode` promises. */
export const oldest: VsCodeVersion = { desktop: '1.100.3', codeServer: '4.100.3', node: '20.19.0' };
