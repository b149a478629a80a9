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

/** The schema and its handler, the same on every host. */
export const api: string = `import { buildSchema } from 'graphql'
import { createHandler } from 'graphwire'

const schema = buildSchema(\`
  type Query {
    "Greets someone."
    hello(name: String = "world"): String!
  }
\`)

const rootValue = { hello: ({ name }) => \`Hello, \${name}!\` }

export const handler = createHandler({ schema, rootValue, path: '/graphql' })
`

/** A test without a socket, and without anything to install. */
export const apiTest: string = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClient } from 'graphwire/testing'
import { handler } from './${apiFile}'

const send = testClient(handler)

test('greets by name', async () => {
  const response = await send({ json: { query: '{ hello(name: "you") }' } })
  assert.equal(response.status, 200)
  assert.deepEqual(response.json(), { data: { hello: 'Hello, you!' } })
})

test('refuses a field that the schema does not have', async () => {
  const response = await send({ json: { query: '{ bye }' } })
  assert.equal(response.status, 422)
})
`
