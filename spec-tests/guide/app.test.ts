import t from 'tap'
import { createMemoryStore } from '../../examples/guide/store.js'
import { signToken, startGuide } from './start-guide.js'

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

void t.test('a query is answered, and logged with its name, status and duration', async (t) => {
  const { send, lines } = await startGuide(t)
  const id = 'from-a-proxy'
  const response = await send('query Titles { tasks { title } }', { 'X-Request-Id': id })
  t.equal(response.status, 200)
  t.equal(response.headers.get('x-request-id'), 'from-a-proxy')
  t.strictSame(await response.json(), {
    data: { tasks: [{ title: 'Write the guide' }, { title: 'Read the guide' }] },
  })
  t.equal(lines.length, 1)
  const ofOperation = { operation: 'Titles', status: 200, errorCodes: [], ms: Number }
  t.match(lines[0], { msg: 'graphql', id, user: '1', ...ofOperation })
})

void t.test('assignees of all tasks are loaded at once', async (t) => {
  const store = createMemoryStore()
  const loads: (readonly string[])[] = []
  const { send } = await startGuide(t, {
    findPeople: (ids) => (loads.push(ids), store.findPeople(ids)),
  })
  const response = await send('{ tasks { assignee { name } } again: tasks { assignee { id } } }')
  t.equal(response.status, 200)
  t.strictSame(loads, [['1', '2']])
  await send('{ tasks { assignee { name } } }')
  t.equal(loads.length, 2, 'a loader lives as long as its request')
})

void t.test('a request without a valid token gets 401', async (t) => {
  const { send, lines } = await startGuide(t)
  const invalid = 'Bearer error="invalid_token"'
  // oxfmt-ignore
  const rows: [what: string, authorization: string, challenge: string][] = [
    ['no token',         '',                                                       'Bearer'],
    ['another scheme',   'Basic YTpi',                                             'Bearer'],
    ['not a token',      'Bearer abc',                                             invalid],
    ['another key',      `Bearer ${await signToken({}, { key: 'x'.repeat(40) })}`, invalid],
    ['an expired token', `Bearer ${await signToken({}, { expires: '-1s' })}`,      invalid],
    ['another audience', `Bearer ${await signToken({ aud: 'mail' })}`,             invalid],
    ['no subject',       `Bearer ${await signToken({ sub: undefined })}`,          invalid],
  ]
  for (const [what, authorization, challenge] of rows) {
    const response = await send('{ tasks { title } }', { Authorization: authorization })
    t.equal(response.status, 401, what)
    t.equal(response.headers.get('www-authenticate'), challenge, what)
    t.match(await response.json(), { errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] })
  }
  t.strictSame(lines, [], 'these are neither bugs nor operations')
})

void t.test('a forbidden field is logged with its code, and an admin reads it', async (t) => {
  const { send, lines } = await startGuide(t)
  const query = '{ tasks { assignee { email } } }'
  await send(query)
  t.match(lines, [{ status: 294, errorCodes: ['FORBIDDEN'] }])

  const admin = await signToken({ role: 'admin' })
  t.equal((await send(query, { Authorization: `Bearer ${admin}` })).status, 200)
})

void t.test('a DateTime goes in as a variable or a literal, and comes out', async (t) => {
  const { send } = await startGuide(t)
  const add = 'mutation ($due: DateTime!) { addTask(title: "x", due: $due, assignee: "1") { due } }'
  const added = await send(add, {}, { due: '2026-12-24T18:00:00Z' })
  t.equal(added.status, 200)
  t.strictSame(await added.json(), { data: { addTask: { due: '2026-12-24T18:00:00.000Z' } } })
  const late = await send('{ tasks(dueBefore: "2026-12-01T00:00:00Z") { title } }')
  t.strictSame(await late.json(), { data: { tasks: [{ title: 'Write the guide' }] } })

  const variable = await send(add, {}, { due: 'tomorrow' })
  t.equal(variable.status, 422)
  const message = /Use a UTC time/
  const extensions = { code: 'BAD_USER_INPUT' }
  t.match(await variable.json(), { errors: [{ message, extensions }] })
  const literal = await send('{ tasks(dueBefore: "tomorrow") { title } }')
  t.equal(literal.status, 422)
  const found = { locations: [{ line: 1, column: 20 }], extensions: { code: /VALIDATION_FAILED/ } }
  t.match(await literal.json(), { errors: [{ message, ...found }] })
})

void t.test('an expected failure has the code of the application', async (t) => {
  const { send } = await startGuide(t)
  const response = await send(
    'mutation { addTask(title: "x", due: "2026-12-24T18:00:00Z", assignee: "9") { id } }',
  )
  t.equal(response.status, 294)
  t.match(await response.json(), {
    data: { addTask: null },
    errors: [{ message: 'There is no person 9.', extensions: { code: 'NO_SUCH_PERSON' } }],
  })
})

void t.test('an unexpected error is masked, and its id is in the log', async (t) => {
  const { send, lines } = await startGuide(t, {
    findPeople: () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5432')),
  })
  const response = await send('query Who { tasks { assignee { name } } }')
  t.equal(response.status, 294)
  const text = await response.text()
  t.notMatch(text, /ECONNREFUSED/)
  const { errors } = JSON.parse(text) as { errors: { extensions: { id: string } }[] }
  const id = errors[0]?.extensions.id ?? ''
  t.match(id, uuid)
  t.equal(response.headers.get('x-request-id'), id)
  const masked = lines.find(({ msg }) => msg === 'masked error')
  t.match(masked, { id, err: { message: 'connect ECONNREFUSED 10.0.0.7:5432', stack: String } })
  const logged = lines.find(({ msg }) => msg === 'graphql')
  t.match(logged, { id, operation: 'Who' })
})

void t.test('pages of one origin may use it', async (t) => {
  const { send } = await startGuide(t)
  for (const [Origin, allowed] of [
    ['https://app.example.com', 'https://app.example.com'],
    ['https://evil.example', null],
  ] as const) {
    const { headers } = await send('{ tasks { id } }', { Origin })
    t.equal(headers.get('access-control-allow-origin'), allowed)
    t.equal(headers.get('access-control-expose-headers'), allowed && 'X-Request-Id')
    t.equal(headers.get('access-control-allow-credentials'), allowed && 'true')
  }
})

void t.test('a resolver sets a cookie, and the answer is not stored', async (t) => {
  const { send } = await startGuide(t)
  const response = await send('mutation { chooseTheme(theme: DARK) }')
  t.strictSame(await response.json(), { data: { chooseTheme: 'DARK' } })
  const cookie = 'theme=DARK; Path=/; Max-Age=31536000; Secure; SameSite=Lax'
  t.strictSame(response.headers.getSetCookie(), [cookie])
  t.equal(response.headers.get('cache-control'), 'no-store')
})
