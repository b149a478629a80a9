import { readFileSync } from 'node:fs'
import { packageFile } from '../../base/package-file.js'
import { readPackage } from '../process/package.js'
import { toJson } from '../process/terminal.js'

/** A project to begin with: a file of the folder `examples`, and what it needs to run. */
interface ProjectTemplate {
  /** The server or runtime, for help. */
  readonly doc: string
  /** Below `examples`; in the project, without the first folder. */
  readonly file: string
  /** Besides graphql and graphwire. */
  readonly dependencies?: { readonly [name: string]: string }
  readonly devDependencies?: { readonly [name: string]: string }
  /** `PROJECT` is replaced by the name of the project. */
  readonly scripts: { readonly [name: string]: string }
  /** The commands to run in the folder, in order. */
  readonly steps: readonly string[]
}

const npmSteps = ['npm install', 'npm test', 'npm start']

const deployed = 'worker.mjs --compatibility-date 2026-01-01 --compatibility-flag nodejs_compat'

/** A server that npm installs and Node runs. */
const onNode = { scripts: { start: 'node server.mjs', test: 'node --test' }, steps: npmSteps }

export type TemplateName =
  | 'node'
  | 'express'
  | 'fastify'
  | 'hono'
  | 'koa'
  | 'next'
  | 'worker'
  | 'bun'
  | 'deno'

// oxfmt-ignore
export const templates: { readonly [name in TemplateName]: ProjectTemplate } = {
  node:    { doc: "graphwire's own server on Node", file: 'node/server.mjs', ...onNode },
  express: { doc: 'Express 5', file: 'express/server.mjs', dependencies: { express: '^5.1.0' }, ...onNode },
  fastify: { doc: 'Fastify 5', file: 'fastify/server.mjs', dependencies: { fastify: '^5.0.0' }, ...onNode },
  hono:    { doc: 'Hono 4 on Node', file: 'hono/server.mjs', dependencies: { '@hono/node-server': '^2.0.0', hono: '^4.0.0' }, ...onNode },
  koa:     { doc: 'Koa 3', file: 'koa/server.mjs', dependencies: { koa: '^3.0.0' }, ...onNode },
  next: {
    doc: "a route of Next's app router",
    file: 'next/app/graphql/route.js',
    dependencies: { next: '^16.0.0', react: '^19.0.0', 'react-dom': '^19.0.0' },
    scripts: { build: 'next build', dev: 'next dev', start: 'next start', test: 'node --test' },
    steps: ['npm install', 'npm test', 'npm run dev'],
  },
  worker: {
    doc: 'a Cloudflare worker',
    file: 'worker/worker.mjs',
    devDependencies: { wrangler: '^4.0.0' },
    scripts: {
      deploy: `wrangler deploy ${deployed} --name PROJECT`,
      start: `wrangler dev ${deployed} --port 4000`,
      test: 'node --test',
    },
    steps: npmSteps,
  },
  bun: {
    doc: 'Bun',
    file: 'fetch/server.mjs',
    scripts: { start: 'bun server.mjs', test: 'bun test ./api.test.mjs' },
    steps: ['bun install', 'bun test', 'bun start'],
  },
  deno: {
    doc: 'Deno',
    file: 'fetch/server.mjs',
    scripts: {
      start: 'deno run --allow-net --allow-env --allow-read server.mjs',
      test: 'deno test --no-check --allow-env --allow-read',
    },
    steps: ['deno install', 'deno task test', 'deno task start'],
  },
}

export const templateNames: readonly TemplateName[] = Object.keys(templates) as TemplateName[]

export function filesOf(name: TemplateName, project: string): { readonly [path: string]: string } {
  const { file, scripts, dependencies: needed, devDependencies } = templates[name]
  const { version, engines, peerDependencies } = readPackage()
  const all = { ...needed, graphql: peerDependencies.graphql, graphwire: `^${version}` }
  const sorted = Object.entries(all).toSorted(([one], [other]) => (one < other ? -1 : 1))
  const dependencies = Object.fromEntries(sorted)
  const own = { name: project, version: '0.0.0', private: true, type: 'module' }
  const path = file.slice(file.indexOf('/') + 1)
  const manifest = { ...own, scripts, dependencies, devDependencies, engines }
  return {
    'package.json': toJson(manifest).replace('PROJECT', project),
    '.gitignore': 'node_modules\n',
    'api.mjs': read('examples/api.mjs'),
    'api.test.mjs': read('examples/api-test.mjs'),
    // In the project, the API is one folder nearer.
    [path]: read(`examples/${file}`).replace(
      '../api.mjs',
      path.includes('/') ? 'api.mjs' : './api.mjs',
    ),
  }
}

function read(path: string): string {
  return readFileSync(packageFile(path), 'utf8')
}
