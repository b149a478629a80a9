/** A project to begin with. */
export interface Template {
  /** What it serves with, for help. */
  readonly doc: string
  /** Its files besides package.json, .gitignore, the API and its test. */
  readonly files: { readonly [path: string]: string }
  readonly scripts: { readonly [name: string]: string }
  /** Besides graphql and graphwire. */
  readonly dependencies: { readonly [name: string]: string }
  readonly devDependencies?: { readonly [name: string]: string }
  /** The commands to run in the folder, in order. */
  readonly steps: readonly string[]
}

/** The steps of a project that npm installs and Node runs. */
export const npmSteps: readonly string[] = ['npm install', 'npm test', 'npm start']

/** Its scripts. */
export const nodeScripts: { readonly [name: string]: string } = {
  start: 'node server.js',
  test: 'node --test',
}

/** The file of the API in every project, which the server and the test import. */
export const apiFile = 'api.js'
