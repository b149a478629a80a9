// The order of the pages. Pages of docs that are not named here are listed at the end, so that none is lost.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ownPages, readTitle } from './prepare.mjs'

const groups = [
  ['Start', ['start', 'guide', 'playground', 'ide', 'cli', 'tools']],
  [
    'Guides',
    [
      'auth',
      'errors',
      'limits',
      'security',
      'documents',
      'caching',
      'batching',
      'subscriptions',
      'websocket',
      'pubsub',
      'incremental',
      'uploads',
      'observability',
      'testing',
    ],
  ],
  ['Deploy', ['deploy', 'hosts', 'proxies', 'clients']],
  ['Migrate', ['migration/']],
  [
    'Reference',
    [
      'options',
      'status/',
      'codes/',
      'hooks',
      'schema',
      'execution',
      'cancellation',
      'http',
      'rest',
      'openapi',
      'mcp',
      'surfaces',
    ],
  ],
  [
    'Conformance',
    ['conformance', 'reports/conformance', 'conform', 'reports/coverage', 'reports/audits'],
  ],
  [
    'Performance',
    [
      'performance',
      'reports/performance',
      'performance-streams',
      'reports/streams',
      'cold-start',
      'reports/cold-start',
    ],
  ],
  ['Project', ['people', 'decisions/']],
]

/** Names that are shorter than the titles. */
const names = {
  guide: 'A whole application',
  playground: 'Playground',
  tools: 'Explain, doctor, init',
  auth: 'Credentials',
  limits: 'Limits',
  batching: 'Batches',
  testing: 'Testing',
  openapi: 'OpenAPI',
  documents: 'Trusted documents',
  incremental: '@defer and @stream',
  observability: 'Logs, metrics, traces',
  deploy: 'Deploying',
  hosts: 'Hosts and frameworks',
  proxies: 'Proxies and CDNs',
  'status/': 'Statuses',
  'codes/': 'Codes of errors',
  execution: 'Compiled execution',
  http: 'HTTP without GraphQL',
  rest: 'Routes (REST)',
  mcp: 'Tools (MCP)',
  surfaces: 'Surfaces of your own',
  conformance: 'Other servers',
  'reports/conformance': 'Results of servers',
  conform: 'Running the suite',
  'reports/coverage': 'What it covers',
  'reports/audits': 'Audits of graphql-http',
  performance: 'CPU per request',
  'reports/performance': 'Results: CPU',
  'performance-streams': 'Streams',
  'reports/streams': 'Results: streams',
  'cold-start': 'Cold start',
  'reports/cold-start': 'Results: cold start',
  people: 'The people service',
  'decisions/': 'Decisions',
  'migration/': 'From other servers',
}

/** Folders whose pages are listed below their index when one of them is open. */
const folders = ['migration/', 'status/', 'codes/', 'decisions/']

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
        pages: inside.map((one) => ({ path: one, name: titleOf(one) })),
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
