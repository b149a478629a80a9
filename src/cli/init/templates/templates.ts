import { bun, deno, express, fastify, hono, koa, next, node, worker } from './server-templates.js'
import { api, apiFile, apiTest, type Template } from './template.js'

/** The names of the templates, the default first. */
export const templateNames = [
  'node',
  'express',
  'fastify',
  'hono',
  'koa',
  'next',
  'worker',
  'bun',
  'deno',
] as const

export type TemplateName = (typeof templateNames)[number]

/** The templates by name. */
export const templates: { readonly [name in TemplateName]: Template } = {
  node,
  express,
  fastify,
  hono,
  koa,
  next,
  worker,
  bun,
  deno,
}

/** What the manifest of a project needs to know of graphwire. */
export interface OwnVersions {
  readonly version: string
  readonly node: string
  readonly graphql: string
}

/** The files of a project by path. */
export function filesOf(
  name: TemplateName,
  project: string,
  own: OwnVersions,
): { readonly [path: string]: string } {
  const { files, scripts, dependencies, devDependencies } = templates[name]
  const manifest = {
    name: project,
    version: '0.0.0',
    private: true,
    type: 'module',
    scripts,
    dependencies: sorted({ ...dependencies, graphql: own.graphql, graphwire: `^${own.version}` }),
    ...(devDependencies && { devDependencies }),
    engines: { node: own.node },
  }
  return {
    'package.json': `${JSON.stringify(manifest, undefined, 2)}\n`,
    '.gitignore': 'node_modules\n',
    [apiFile]: api,
    'api.test.js': apiTest,
    ...files,
  }
}

function sorted(members: { readonly [name: string]: string }): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.entries(members).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  )
}
