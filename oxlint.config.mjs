// The layer rule of src/README.md, held by the linter: what each folder may import of src, and whether of node.
const layers = {
  base: { allow: [] },
  shapes: { allow: ['base'] },
  http: { allow: ['base', 'shapes'] },
  graphql: { allow: ['base', 'shapes'] },
  compiled: { allow: ['base', 'shapes', 'graphql'] },
  persisted: { allow: ['base', 'shapes', 'graphql'] },
  streams: { allow: ['base', 'graphql'] },
  websocket: { allow: ['base', 'shapes', 'http'] },
  'over-http': { allow: ['base', 'http', 'graphql', 'streams'] },
  options: {
    allow: ['base', 'shapes', 'http', 'graphql', 'persisted', 'streams', 'over-http'],
  },
  handler: {
    allow: 'base shapes http graphql persisted streams websocket over-http options'.split(' '),
  },
  surface: {
    allow: 'base shapes http graphql streams over-http options handler'.split(' '),
  },
  hosts: {
    allow: ['base', 'shapes', 'http', 'streams', 'websocket', 'options', 'handler'],
    node: true,
  },
  standard: { allow: ['base', 'graphql'], node: true },
  conformance: { allow: ['base', 'shapes'], node: true },
  cli: {
    allow:
      'base shapes graphql persisted compiled http over-http options handler surface hosts standard conformance index'.split(
        ' ',
      ),
    node: true,
  },
}

// The import table of people/README.md: which files of the service the files of a folder may import.
const peopleFolders = {
  store: [],
  access: ['store/*'],
  feed: ['store/*'],
  schema: ['store/*', 'access/principal.js', 'access/limits.js', 'feed/change-feed.js'],
  front: ['settings.js'],
  browser: [],
}

function peopleRule([folder, allow]) {
  // The last pattern that fits decides.
  const group = ['*.js', ...[...Object.keys(peopleFolders), 'commands'].map((it) => `${it}/*`)]
    .filter((pattern) => !allow.includes(pattern))
    .concat(allow.filter((path) => path.endsWith('.js')).map((path) => `!${path}`))
    .map((pattern) => (pattern.startsWith('!') ? `!../${pattern.slice(1)}` : `../${pattern}`))
    .filter((pattern) => pattern !== `../${folder}/*`)
    .concat('../../src/**')
  const message = `${folder} may import of the service only: ${allow.join(', ') || 'nothing'}.`
  return {
    files: [`people/${folder}/**`],
    rules: { 'no-restricted-imports': ['error', { patterns: [{ group, message }] }] },
  }
}

const graphqlValues = {
  name: 'graphql',
  allowTypeImports: true,
  message: 'Only graphql/js/graphql.ts imports values of graphql: options have the module.',
}

function layerRule(folder, { allow, node = false }) {
  const forbidden = [...Object.keys(layers), 'index'].filter(
    (other) => other !== folder && !allow.includes(other),
  )
  const patterns = [
    {
      group: forbidden.flatMap(importsOf),
      message: `${folder} may import of src only: ${allow.join(', ') || 'nothing'}.`,
    },
    ...(node
      ? []
      : [{ group: ['node:*'], allowTypeImports: true, message: `${folder} does no I/O.` }]),
  ]
  return {
    files: [`src/${folder}/**`],
    rules: { 'no-restricted-imports': ['error', { paths: [graphqlValues], patterns }] },
  }
}

/** How packages and the service must not name the source of graphwire or of each other. */
const byName = {
  group: ['../src/**', '../../src/**', '../../../src/**', '../../*/src/**', '../../../*/src/**'],
  message: 'Import the package by name.',
}

const ofNode = { group: ['node:*'], allowTypeImports: true, message: 'It does no I/O.' }

function outsiderRule(files, paths, patterns) {
  return { files: [files], rules: { 'no-restricted-imports': ['error', { paths, patterns }] } }
}

/** How the files of other folders name a folder, however deep they are. */
function importsOf(folder) {
  return ['../', '../../', '../../../', '../../../../'].map((up) =>
    folder === 'index' ? `${up}index.js` : `${up}${folder}/**`,
  )
}

export default {
  plugins: ['typescript', 'import', 'unicorn', 'oxc', 'promise'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  rules: {
    'import/no-cycle': 'error',
    'import/no-default-export': 'error',
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/switch-exhaustiveness-check': [
      'error',
      { considerDefaultExhaustiveForUnions: true },
    ],
    'typescript/explicit-module-boundary-types': 'error',
    'typescript/consistent-type-imports': 'error',
    'max-lines': ['error', { max: 250, skipBlankLines: false }],
    'max-lines-per-function': ['error', { max: 60 }],
    'no-var': 'error',
    'prefer-const': 'error',
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'unicorn/no-array-for-each': 'error',
    // The compiler's noImplicitReturns says it, and knows exhaustive switches.
    'typescript/consistent-return': 'off',
    // Checked data is asserted where it is checked.
    'typescript/no-unsafe-type-assertion': 'off',
    // The hot path stays synchronous where it can, which these take for a mistake.
    'promise/always-return': 'off',
    'promise/no-callback-in-promise': 'off',
    'no-await-in-loop': 'off',
    'no-unmodified-loop-condition': 'off',
  },
  // The page of the IDE has packages of its own, which are not installed here: its build checks its types. The last is
  // written by another tool.
  ignorePatterns: [
    '**/dist',
    'node_modules',
    '.tap',
    'packages/ide/page/src',
    'spec-tests/types/codegen-output.ts',
  ],
  overrides: [
    {
      files: ['src/**'],
      rules: { 'no-restricted-imports': ['error', { paths: [graphqlValues] }] },
    },
    ...Object.entries(layers).map(([folder, layer]) => layerRule(folder, layer)),
    { files: ['src/graphql/js/graphql.ts'], rules: { 'no-restricted-imports': 'off' } },
    // A type argument that a user writes types the parameters of resolvers, or the body of an answer.
    {
      files: [
        'src/options/define-options.ts',
        'src/graphql/schema/resolvers.ts',
        'src/hosts/testing.ts',
      ],
      rules: { 'typescript/no-unnecessary-type-parameters': 'off' },
    },
    // The packages and the service are users of graphwire like any other; most packages do no I/O.
    outsiderRule('packages/*/src/**', [], [byName]),
    outsiderRule(
      'packages/{json-schema,mcp,pubsub,rest,uploads}/src/**',
      [graphqlValues],
      [byName, ofNode],
    ),
    outsiderRule('people/**', [], [byName]),
    ...Object.entries(peopleFolders).map(peopleRule),
    // An application: what its functions return is written once, at the function.
    { files: ['people/**'], rules: { 'typescript/explicit-module-boundary-types': 'off' } },
    // Modules of Nest are classes that have only a decorator, and need the metadata of reflect-metadata.
    {
      files: [
        'examples/nest/**',
        'packages/nest/spec-tests/**',
        'spec-tests/exhaustive/migration/nestjs/**',
        'site/.vitepress/**',
      ],
      rules: {
        'import/no-unassigned-import': 'off',
        'typescript/no-extraneous-class': ['error', { allowWithDecorator: true }],
      },
    },
    // What a runtime or VitePress loads is a default export.
    {
      files: ['*.config.mjs', '**/worker.mjs', 'site/.vitepress/**'],
      rules: { 'import/no-default-export': 'off' },
    },
    {
      files: ['**/spec-tests/**', 'bench/**', 'examples/**', 'site/pages/**'],
      rules: {
        'max-lines': 'off',
        'max-lines-per-function': 'off',
        'typescript/explicit-module-boundary-types': 'off',
        // A table of tests nests `t` in `t`.
        'no-shadow': ['error', { allow: ['t'] }],
        'unicorn/consistent-function-scoping': 'off',
        'oxc/no-async-endpoint-handlers': 'off',
        'oxc/no-map-spread': 'off',
        // Servers of frameworks are asynchronous functions given to `createServer`.
        'typescript/no-misused-promises': 'off',
        'typescript/unbound-method': 'off',
        // tap waits for its own subtests.
        'typescript/no-floating-promises': [
          'error',
          {
            allowForKnownSafePromises: [
              { from: 'package', name: 'PromiseWithSubtest', package: '@tapjs/core' },
            ],
          },
        ],
      },
    },
    { files: ['examples/api-test.mjs'], rules: { 'typescript/no-floating-promises': 'off' } },
    // Fast tests need no other program, and no sockets but those of servers.
    {
      files: ['**/spec-tests/**'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            paths: ['child_process', 'cluster', 'net', 'tls', 'worker_threads'].map((name) => ({
              name: `node:${name}`,
              allowTypeImports: true,
              message: 'A test that needs it is exhaustive: spec-tests/exhaustive.',
            })),
            patterns: [
              {
                group: ['**/exhaustive/**'],
                message: 'What is for exhaustive tests may start programs.',
              },
            ],
          },
        ],
      },
    },
    {
      files: ['**/exhaustive/**', 'spec-tests/**/*.mjs'],
      rules: { 'no-restricted-imports': 'off' },
    },
  ],
}
