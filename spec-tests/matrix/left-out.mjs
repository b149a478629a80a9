/**
 * What a difference from `npm test`, which runs every file with graphql 17 on one Node, cannot change. Where this is so
 * of all that differs, the matrix leaves the file out.
 */
const all = ['node', 'graphql', 'executor']
const execution = ['graphql', 'executor']
const unmoved = [
  { by: ['executor'], files: /^rest\//, why: 'routes read the data, so graphql-js executes them' },
  { by: ['executor'], files: /^compiled\//, why: 'they choose the executor by themselves' },
  { by: ['executor'], files: /^migration\//, why: 'servers in processes of their own' },
  {
    by: all,
    files: /^conformance\//,
    why: 'the parts of the suite: conformance.test.js runs the whole of it',
  },
  {
    by: all,
    files: /^attacks\//,
    why: 'they take minutes, and run with both majors by themselves',
  },
  {
    by: all,
    files: /^graphql\/document\/validate-corpus\./,
    why: 'it runs with both majors by itself',
  },
  { by: all, files: /^proxies\//, why: 'what proxies do' },
  { by: all, files: /^runtimes\//, why: 'what runtimes other than Node do' },
  { by: all, files: /^(?:frameworks|generators|next)\//, why: 'they bring a graphql of their own' },
  { by: all, files: /^bundle-size\./, why: 'the same bytes' },
  { by: all, files: /^site\/(?!start)/, why: 'pages, which are written once' },
  { by: all, files: /^pubsub\/transports\//, why: 'what services do' },
  {
    by: execution,
    files: /^(?:base|http|pubsub|shapes|websocket)\//,
    why: 'they know no GraphQL',
  },
  { by: execution, files: /^cli\/(?:arguments|serve\/flags)\//, why: 'words' },
  { by: execution, files: /^cli\/conform\//, why: 'a client, which sees only responses' },
  { by: execution, files: /^cli\/serve\/(?:certificate|workers)\//, why: 'files and processes' },
  { by: execution, files: /^cli\/serve\/(?:drain|orphans|shutdown)\./, why: 'signals' },
  { by: execution, files: /^hosts\/node\/(?:connection|http2|server)\//, why: 'connections' },
  {
    by: ['node', 'executor'],
    files: /^graphql\/(?:document|limits|schema)\//,
    why: 'texts and trees; the channels of Node are in graphql/js',
  },
  { by: ['node', 'executor'], files: /^rest\/openapi/, why: 'one document made of another' },
]

/** The files that a pair runs. Throws if a row matches none: its folder has another name by now. */
export function chooseFiles(names, differences) {
  for (const { files, why } of unmoved) {
    if (names.some((name) => files.test(name))) continue
    throw new Error(`matrix: no test matches ${files.source} (${why})`)
  }
  const rows = unmoved.filter(({ by }) =>
    differences.every((difference) => by.includes(difference)),
  )
  return names.filter((name) => !rows.some(({ files }) => files.test(name)))
}
