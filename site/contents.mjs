// The order of the pages. Pages of docs that are not named here are listed at the end, so that none is lost.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownPages, readTitle } from './prepare.mjs'

const groups = [
  ['Start', ['start', 'guide', 'playground', 'schema', 'testing', 'ide']],
  [
    'How to',
    [
      'auth',
      'errors',
      'subscriptions',
      'websocket',
      'pubsub',
      'uploads',
      'documents',
      'limits',
      'security',
      'caching',
      'batching',
      'incremental',
      'observability',
      'rest',
      'mcp',
      'execution',
    ],
  ],
  [
    'Run it in',
    [
      'deploy',
      'server',
      'hosts/express',
      'hosts/fastify',
      'hosts/koa',
      'hosts/nestjs',
      'hosts/hono',
      'hosts/next',
      'hosts/elysia',
      'hosts/bun-deno',
      'hosts/workers',
      'hosts/lambda',
      'hosts/federation',
      'proxies',
      'clients',
    ],
  ],
  ['Move from another server', ['migration/']],
  [
    'Reference',
    [
      'options',
      'flags',
      'status/',
      'codes/',
      'hooks',
      'extensions',
      'hosts',
      'cli',
      'tools',
      'surfaces',
    ],
  ],
  [
    'Packages',
    [
      'packages/rate-limit',
      'packages/response-cache',
      'packages/nest',
      'packages/uploads',
      'packages/pubsub',
      'packages/rest',
      'packages/json-schema',
      'packages/mcp',
      'packages/otel',
      'packages/ide',
    ],
  ],
  [
    'Conformance',
    [
      'servers/',
      'reports/conformance',
      'conform',
      'reports/coverage',
      'reports/audits',
      'conformance',
    ],
  ],
  ['Performance', ['reports/performance', 'reports/streams', 'reports/cold-start', 'performance']],
  ['Project', ['people', 'changelog', 'decisions/', 'reports/mutation']],
]

/** Names that are shorter than the titles, or say the task. */
const names = {
  guide: 'A whole application',
  playground: 'Playground',
  schema: 'Write a schema',
  testing: 'Test it',
  ide: 'Show an IDE',
  auth: 'Add a login',
  errors: 'Send errors',
  subscriptions: 'Stream changes',
  websocket: 'Use WebSockets',
  pubsub: 'Publish events',
  uploads: 'Upload files',
  documents: 'Allow only known documents',
  limits: 'Limit requests',
  security: 'Secure a server',
  caching: 'Cache responses',
  batching: 'Send batches',
  incremental: 'Use @defer and @stream',
  observability: 'Log, measure, trace',
  rest: 'Add REST routes, OpenAPI',
  mcp: 'Offer tools to models (MCP)',
  execution: 'Execute faster, stop work',
  deploy: 'Deploy: where, and a checklist',
  server: 'Node',
  proxies: 'Behind nginx and other proxies',
  clients: 'With Apollo Client and others',
  hosts: 'Hosts',
  'status/': 'Statuses',
  'codes/': 'Codes of errors',
  cli: 'The binary',
  tools: 'Explain, doctor, init',
  surfaces: 'Surfaces of your own',
  'servers/': 'Servers compared',
  conformance: 'How servers are tested',
  'reports/conformance': 'Results in detail',
  conform: 'Running the suite',
  'reports/coverage': 'What it covers',
  'reports/audits': 'Audits of graphql-http',
  performance: 'How it is measured',
  'reports/performance': 'CPU per request',
  'reports/streams': 'Streams',
  'reports/cold-start': 'Cold start',
  people: 'The people service',
  'decisions/': 'Decisions',
  'reports/mutation': 'What the tests find',
  'migration/': 'Which server?',
}

/** Folders whose pages are listed below their index when one of them is open. */
const folders = ['migration/', 'status/', 'codes/', 'servers/', 'decisions/']

/** The groups of the navigation, with those pages that exist in the folder. */
export function readContents(pages) {
  const there = readdirSync(pages, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md'))
    .toSorted()
  const listed = new Set(groups.flatMap(([, items]) => items).map(toPath))
  const rest = there.filter(
    (path) =>
      !ownPages.includes(path) && !listed.has(path) && !folders.some((one) => path.startsWith(one)),
  )
  return [...groups, ['More', rest.map((path) => path.replace(/\.md$/, ''))]]
    .map(([title, items]) => ({ title, items: items.flatMap((item) => toItem(item)) }))
    .filter(({ items }) => items.length > 0)

  function toItem(item) {
    const path = toPath(item)
    if (!there.includes(path)) return []
    const inside = item.endsWith('/')
      ? there.filter((one) => one.startsWith(item) && one !== path)
      : []
    return [
      {
        path,
        name: names[item] ?? titleOf(path),
        pages: inside.map((one) => ({
          path: one,
          name: titleOf(one).replace(/: conformance$/, ''),
        })),
      },
    ]
  }

  function titleOf(path) {
    return readTitle(readFileSync(join(pages, path), 'utf8'))
  }
}

function toPath(item) {
  return item.endsWith('/') ? `${item}index.md` : `${item}.md`
}
