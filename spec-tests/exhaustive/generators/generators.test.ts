import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { sha256 } from '../../../src/base/sha256.js'
import { readManifest, type DocumentSource } from '../../../src/persisted/manifest.js'
import { askWith, start } from '../cli/binary.js'
import { say } from '../../cli/say.js'
import { installed, skip } from '../installed.js'

type Files = { readonly [path: string]: string }

const json = (value: object): string => JSON.stringify(value)

interface Generator {
  readonly files: Files
  /** Its script below node_modules, and arguments. */
  readonly run: readonly [script: string, ...words: string[]]
  readonly manifest: string
  readonly id: RegExp
}

const query = 'query PersonQuery($id: ID!) { person(id: $id) { ...Person_name } }'
const fragment = 'fragment Person_name on Person { name }'
const hashOf64 = /^[0-9a-f]{64}$/

const generators: { readonly [name: string]: Generator } = {
  '@apollo/generate-persisted-query-manifest': {
    files: {
      'src/person.js': `import { gql } from '@apollo/client'\nexport const fragment = gql\`${fragment}\`\n`,
      'src/query.graphql': query,
    },
    run: ['@apollo/generate-persisted-query-manifest/cli.js'],
    manifest: 'persisted-query-manifest.json',
    id: hashOf64,
  },
  '@graphql-codegen/client-preset': {
    files: {
      'codegen.json': json({
        schema: 'schema.graphql',
        documents: 'src/**/*.ts',
        generates: {
          'src/gql/': {
            preset: 'client',
            presetConfig: { persistedDocuments: { hashAlgorithm: 'sha256' } },
          },
        },
      }),
      'src/person.ts': `import { graphql } from './gql/gql.js'\nexport const name = graphql(\`${fragment}\`)\nexport const query = graphql(\`${query}\`)\n`,
    },
    run: ['@graphql-codegen/cli/cjs/bin.js', '--config', 'codegen.json'],
    manifest: 'src/gql/persisted-documents.json',
    id: /^sha256:[0-9a-f]{64}$/,
  },
  'gql.tada': {
    files: {
      'tsconfig.json': json({
        compilerOptions: {
          strict: true,
          module: 'nodenext',
          plugins: [
            {
              name: 'gql.tada/ts-plugin',
              schema: './schema.graphql',
              tadaOutputLocation: './src/graphql-env.d.ts',
              tadaPersistedLocation: './persisted.json',
            },
          ],
        },
        include: ['src'],
      }),
      'src/person.ts': `import { initGraphQLTada } from 'gql.tada'
import type { introspection } from './graphql-env.js'
const graphql = initGraphQLTada<{ introspection: introspection }>()
const name = graphql(\`${fragment}\`)
const query = graphql(\`${query}\`, [name])
export const persisted = graphql.persisted<typeof query>('PersonQuery-1', query)
`,
    },
    run: ['gql.tada/bin/cli.js', 'generate-persisted'],
    manifest: 'persisted.json',
    id: /^PersonQuery-1$/,
  },
  'relay-compiler': {
    files: {
      'relay.config.json': json({
        src: './src',
        language: 'typescript',
        schema: './schema.graphql',
        persistConfig: { file: './persisted.json', algorithm: 'SHA256' },
      }),
      // The compiler adds to it, and demands that it exists.
      'persisted.json': '{}',
      'src/Person.ts': `import { graphql } from 'relay-runtime'\nexport const name = graphql\`${fragment}\`\nexport const query = graphql\`${query}\`\n`,
    },
    run: ['relay-compiler/cli.js'],
    manifest: 'persisted.json',
    id: hashOf64,
  },
}

const shared: Files = {
  'package.json': '{ "type": "module" }',
  'schema.graphql': 'type Query { person(id: ID!): Person } type Person { id: ID! name: String! }',
  'data.json': '{ "person": { "id": "1", "name": "Ada" } }',
}

/** Runs a generator in a folder below the installed packages, and gives the folder. */
function generate(t: Test, name: string, { files, run }: Generator): string {
  const project = `${installed}dist/${name.replaceAll(/\W+/g, '-')}`
  rmSync(project, { recursive: true, force: true })
  for (const [path, text] of Object.entries({ ...shared, ...files })) {
    mkdirSync(dirname(join(project, path)), { recursive: true })
    writeFileSync(join(project, path), text)
  }
  const [script, ...words] = run
  const { NODE_OPTIONS: _, ...env } = process.env
  const args = [`${installed}node_modules/${script}`, ...words]
  const options = { cwd: project, env: { ...env, CI: '1', NO_COLOR: '1' } }
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    ...options,
    encoding: 'utf8',
  })
  t.equal(status, 0, stdout + stderr)
  return project
}

const served = ['serve', 'schema.graphql', '--data=data.json', '--port=0', '--trusted-only']

for (const [name, generator] of Object.entries(generators)) {
  void t.test(`${name} writes a manifest that is served`, { skip }, async (t) => {
    const cwd = generate(t, name, generator)
    const manifest = join(cwd, generator.manifest)
    const checked = await say(['documents', 'check', manifest, `--schema=${cwd}/schema.graphql`])
    t.strictSame(checked, { code: 0, out: '1 document, all valid\n', err: '' })
    const [[id, text] = ['', '']] =
      readManifest(JSON.parse(readFileSync(manifest, 'utf8')) as DocumentSource) ?? []
    t.match(id, generator.id)

    const server = start([...served, `--documents=${generator.manifest}`], { cwd })
    const url = await server.url()
    const variables = { id: '1' }
    const ids = sha256(text) === id ? [id, `sha256:${id}`] : [id]
    // As clients of the draft ask, and as Apollo's link does.
    const persistedQuery = { version: 1, sha256Hash: id }
    for (const asked of [
      ...ids.map((documentId) => ({ documentId })),
      { extensions: { persistedQuery } },
    ]) {
      const { status, body } = await askWith(url, { ...asked, variables })
      t.equal(status, 200, JSON.stringify(asked))
      t.match(JSON.parse(body), { data: { person: { name: 'Ada' } } })
    }
    const other = await askWith(url, { query: '{ __typename }' })
    t.equal(other.status, 422)
    t.match(other.body, '"code":"DOCUMENT_ID_REQUIRED"')
    await server.stop()
  })
}
