import { createHash } from 'node:crypto'
import { buildClientSchema, getIntrospectionQuery, printSchema } from 'graphql'
import type { IntrospectionQuery } from 'graphql'
import { createHandler } from 'graphwire'
import { testClient } from 'graphwire/testing'
import t from 'tap'
import { createPeopleSchema } from '../../schema/create-schema.js'
import type { Json } from './serve-schema.js'

/** Of the schema without descriptions. A change of it breaks clients, or is a new promise to them: then change this. */
const promised = '2eTudMMzNo0lNZpqjNiJB0FOeftTinztYoj-JicKyzQ'

/** The schema as clients read it. */
async function introspect(options: { descriptions: boolean }): Promise<IntrospectionQuery> {
  // @defer and @stream, which graphwire adds with graphql 17, are no part of the service's own schema.
  const handler = createHandler({ schema: createPeopleSchema(), incremental: false })
  const query = getIntrospectionQuery({ schemaDescription: true, ...options })
  const response = await testClient(handler)({ json: { query } })
  return (response.json() as { data: IntrospectionQuery }).data
}

void t.test('clients read the schema that was promised, and nothing more', async (t) => {
  const text = printSchema(buildClientSchema(await introspect({ descriptions: false })))
  t.equal(createHash('sha256').update(text).digest('base64url'), promised, text)
})

/** The places of all that can have a description and has none. */
function undescribed(place: string, one: Json): readonly string[] {
  const path = `${place}${one.name}`
  const members = [one.fields, one.inputFields, one.args].flatMap((list: Json) => list ?? [])
  const own = (one.description ?? '') === '' ? [path] : []
  return [...own, ...members.flatMap((member) => undescribed(`${path}.`, member))]
}

void t.test('every type, field, argument and input has a description', async (t) => {
  const { __schema: schema } = await introspect({ descriptions: true })
  t.match(schema.description, 'BAD_USER_INPUT')
  const types = schema.types.filter(({ name }) => !name.startsWith('__'))
  t.ok(types.length > 8)
  for (const type of types) t.strictSame(undescribed('', type), [])
})
