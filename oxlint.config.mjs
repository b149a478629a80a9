// The layer rule of src/README.md, held by the linter: what each folder may import of src, and whether of node.
const layers = {
  http: { allow: ['outcome'] },
  engine: { allow: ['cut-text', 'outcome', 'promise'] },
  request: { allow: ['outcome', 'promise', 'refusal', 'http', 'engine'] },
  response: { allow: ['cut-text', 'outcome', 'promise', 'refusal', 'http', 'engine'] },
  rest: {
    allow: ['cut-text', 'outcome', 'promise', 'refusal', 'http', 'engine', 'request'].concat(
      'response/code-of',
      'response/editions',
      'response/message-of',
      'response/status',
    ),
  },
  hosts: {
    allow: ['handler', 'options', 'outcome', 'promise', 'report-bug', 'http'],
    node: true,
  },
  standard: { allow: ['index', 'engine/build-schema'], node: true },
  cli: {
    allow: ['index', 'hosts', 'standard', 'conformance/index'].concat(
      'engine/build-schema',
      'engine/locate-faults',
    ),
    node: true,
  },
  conformance: { allow: [], node: true },
}

const modules = Object.keys(layers).concat(
  [
    'add-headers',
    'authenticate',
    'authorize',
    'check-denial',
    'check-wanted',
    'check-length',
    'cors',
    'cut-text',
    'deadline',
    'graphql-surface',
    'handler',
    'index',
  ],
  ['load-gate', 'numeric-options', 'operation-request', 'options', 'outcome', 'promise', 'refusal'],
  [
    'report-bug',
    'report-limit',
    'rest-handler',
    'rest-options',
    'rest-surface',
    'run',
    'safety',
    'schema-finder',
    'serve-routes',
    'settings',
    'trace-request',
  ],
)

const graphqlValues = {
  name: 'graphql',
  allowTypeImports: true,
  message: 'Only engine/graphql.ts imports values of graphql.',
}

function layerRule(folder, { allow, node = false }) {
  const forbidden = modules.filter(
    (name) => name !== folder && !allow.some((one) => one === name || one.startsWith(`${name}/`)),
  )
  const patterns = [
    {
      group: forbidden.flatMap((name) => [
        `../${name}.js`,
        `../../${name}.js`,
        `../${name}/**`,
        `../../${name}/**`,
      ]),
      message: `${folder} may import of src only: ${allow.join(', ') || 'nothing'}.`,
    },
    ...partlyAllowed(allow).map(([other, files]) => ({
      group: [
        `../${other}/**`,
        `../../${other}/**`,
        ...files.flatMap((file) => [`!../${other}/${file}.js`, `!../../${other}/${file}.js`]),
      ],
      message: `${folder} may import of ${other} only ${files.join(', ')}.`,
    })),
    ...(node
      ? []
      : [{ group: ['node:*'], allowTypeImports: true, message: 'Protocol folders do no I/O.' }]),
  ]
  return {
    files: [`src/${folder}/**`],
    rules: { 'no-restricted-imports': ['error', { paths: [graphqlValues], patterns }] },
  }
}

/** The folders of which only some files may be imported: `engine/build-schema` and the like. */
function partlyAllowed(allow) {
  const folders = new Map()
  for (const one of allow.filter((name) => name.includes('/'))) {
    const [folder, file] = one.split('/')
    folders.set(folder, [...(folders.get(folder) ?? []), file])
  }
  return [...folders]
}

const roadRule = {
  files: ['src/*.ts'],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        paths: [graphqlValues],
        patterns: [
          { group: ['node:*'], message: 'The handler does no I/O.' },
          {
            group: ['./hosts/**', './cli/**', './standard/**', './conformance/**'],
            message: 'These stand above the handler.',
          },
        ],
      },
    ],
  },
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
  ignorePatterns: ['**/dist', 'node_modules', '.tap'],
  overrides: [
    {
      files: ['src/**'],
      rules: { 'no-restricted-imports': ['error', { paths: [graphqlValues] }] },
    },
    ...Object.entries(layers).map(([folder, layer]) => layerRule(folder, layer)),
    roadRule,
    // The reporters stand in folders of their own, and read the report.
    { files: ['src/conformance/reporters/**'], rules: { 'no-restricted-imports': 'off' } },
    { files: ['src/engine/graphql.ts'], rules: { 'no-restricted-imports': 'off' } },
    // The service is a user of the package like any other.
    {
      files: ['people/**'],
      rules: {
        'no-restricted-imports': [
          'error',
          {
            patterns: [
              { group: ['../src/**', '../../src/**'], message: 'Import the package by name.' },
            ],
          },
        ],
      },
    },
    { files: ['*.config.mjs'], rules: { 'import/no-default-export': 'off' } },
    {
      files: ['spec-tests/**', 'people/spec-tests/**', 'bench/**', 'examples/**'],
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
  ],
}
