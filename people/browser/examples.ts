import { createElement, elementOf, formatJson, takeLinkedKey } from './page.js'

/** An example of one surface: what its form has. */
type Example<Field extends string> = { readonly title: string } & {
  readonly [field in Field]: string
}

type Fields = 'query' | 'variables' | 'method' | 'path' | 'body'

// oxfmt-ignore
const graphqlExamples: readonly Example<'query' | 'variables'>[] = [
  {
    title: 'A person and friends',
    query: '{\n  person(id: 1) {\n    name\n    address { city }\n    friends(limit: 2) { name }\n  }\n}',
    variables: '',
  },
  {
    title: 'A page, with variables',
    query: 'query Page($n: Int, $after: ID) {\n  people(limit: $n, after: $after) {\n    id\n    name\n  }\n}',
    variables: '{ "n": 3, "after": 10 }',
  },
  {
    title: 'Data and errors',
    query: '{\n  person(id: 1) { name }\n  people(limit: 101) { id }\n}',
    variables: '',
  },
  { title: 'A mistake', query: '{\n  person(id: 1) { nam }\n}', variables: '' },
  {
    title: 'A write',
    query: 'mutation {\n  updatePerson(id: 1, input: { age: 36 }) {\n    name\n    age\n    version\n  }\n}',
    variables: '',
  },
]

// oxfmt-ignore
const resourceExamples: readonly Example<'method' | 'path' | 'body'>[] = [
  { title: 'A person', method: 'GET', path: '/person/1', body: '' },
  { title: 'A page', method: 'GET', path: '/people?limit=3&after=10', body: '' },
  { title: 'Not found', method: 'GET', path: '/person/4711', body: '' },
  { title: 'A mistake', method: 'GET', path: '/people?limit=101', body: '' },
  { title: 'A write', method: 'PATCH', path: '/person/1', body: '{ "address": { "city": "Rome" } }' },
]

/** A longer text is cut: a page is not the place to read it. */
const maxShown = 100_000

/** The number of the last request of each surface: an answer that comes late is not shown. */
const latest = new Map<string, number>()

const keyField = elementOf('key', HTMLInputElement)
const keyState = elementOf('key-state', HTMLElement)
const linkedKey = takeLinkedKey()
keyField.value = linkedKey
showKey(undefined)
keyField.addEventListener('input', () => showKey(undefined))

const runGraphql = setUp('graphql', graphqlExamples, ({ query, variables }) => ({
  method: 'POST',
  path: '/graphql',
  accept: 'application/graphql-response+json, application/json;q=0.9',
  body: JSON.stringify({ query, ...(variables.trim() !== '' && { variables: parse(variables) }) }),
}))
const runResource = setUp('resource', resourceExamples, ({ method, path, body }) => ({
  method,
  path,
  accept: '*/*',
  body: body.trim() === '' || method === 'GET' ? undefined : body,
}))

// The first examples only read. They have an answer at once, if the service answers without a key.
if (linkedKey !== '' || document.body.dataset['auth'] !== 'all') {
  runGraphql()
  runResource()
}

/** Connects the form of a surface; returns what sends its request. */
function setUp<Field extends Fields>(
  surface: string,
  examples: readonly Example<Field>[],
  toCall: (fields: Example<Field>) => Call,
): () => void {
  const form = elementOf(surface, HTMLFormElement)
  const fieldOf = (name: string): HTMLTextAreaElement =>
    form.elements.namedItem(name) as HTMLTextAreaElement
  const names = Object.keys(examples[0] ?? {}).filter((name) => name !== 'title') as Field[]
  const buttons = examples.map((example) => {
    const button = createElement('button', 'example', example.title)
    button.type = 'button'
    button.addEventListener('click', () => {
      choose(example, button)
      run()
    })
    return button
  })
  const choose = (example: Example<Field>, chosen: HTMLButtonElement | undefined): void => {
    for (const button of buttons) button.setAttribute('aria-pressed', String(button === chosen))
    for (const name of names) fieldOf(name).value = example[name]
  }
  const run = (): void => {
    const fields = Object.fromEntries(names.map((name) => [name, fieldOf(name).value]))
    void show(surface, () => toCall({ ...fields, title: '' } as Example<Field>))
  }
  elementOf(`${surface}-examples`, HTMLElement).append(...buttons)
  if (examples[0] !== undefined) choose(examples[0], buttons[0])
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    run()
  })
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) run()
  })
  return run
}

function parse(variables: string): unknown {
  try {
    return JSON.parse(variables)
  } catch {
    throw new Error('The variables are not JSON.')
  }
}

async function show(surface: string, toCall: () => Call): Promise<void> {
  const number = (latest.get(surface) ?? 0) + 1
  latest.set(surface, number)
  const status = elementOf(`${surface}-status`, HTMLElement)
  status.dataset['kind'] = 'waiting'
  status.textContent = 'Waiting for the answer …'
  let answer: Answer
  try {
    answer = await send(toCall(), keyField.value.trim())
  } catch (error) {
    answer = { kind: 'failed', summary: (error as Error).message, text: '', headers: '', curl: '' }
  }
  if (latest.get(surface) !== number) return
  status.dataset['kind'] = answer.kind
  status.textContent = answer.summary
  for (const part of ['text', 'headers', 'curl'] as const) {
    elementOf(`${surface}-${part}`, HTMLElement).textContent = answer[part]
  }
  // A mutation without a key has data, which is null.
  showKey(answer.text.includes('"UNAUTHENTICATED"') ? 401 : answer.status)
}

function showKey(status: number | undefined): void {
  const key = keyField.value
  const isRefused = status === 401 && key !== ''
  keyField.setAttribute('aria-invalid', String(isRefused))
  if (isRefused) {
    keyState.textContent = 'The service has refused this key: it is not valid, or no longer.'
  } else if (status === 401) keyState.textContent = 'This request needs a key.'
  else
    keyState.textContent = key !== '' && key === linkedKey ? 'The key of the link is in use.' : ''
}

/** A request of an example. */
interface Call {
  readonly method: string
  readonly path: string
  readonly accept: string
  readonly body: string | undefined
}

/** A response, as the page shows it. */
interface Answer {
  /** Chooses the colour of the status. */
  readonly kind: 'done' | 'partial' | 'refused' | 'failed'
  /** Absent if there was no response. */
  readonly status?: number
  /** The status line: number, reason, media type and duration. */
  readonly summary: string
  readonly text: string
  readonly headers: string
  /** The request as a command. */
  readonly curl: string
}

/** Sends a request to this service; throws an Error with a readable message if there is no response. */
async function send(call: Call, key: string): Promise<Answer> {
  const url = new URL(call.path, location.origin)
  if (url.origin !== location.origin) throw new Error('The path must begin with one slash.')
  const startedAt = performance.now()
  const response = await fetch(url, {
    method: call.method,
    headers: headersOf(call, key),
    cache: 'no-store',
    ...(call.body !== undefined && { body: call.body }),
  }).catch(() => {
    throw new Error('There is no response: is the service still running?')
  })
  const type = response.headers.get('content-type') ?? ''
  const text = type.startsWith('text/event-stream')
    ? await skipStream(response)
    : await response.text()
  const milliseconds = performance.now() - startedAt
  return {
    kind: kindOf(response.status),
    status: response.status,
    summary: [
      `${response.status} ${response.statusText}`.trim(),
      type || 'no body',
      `${Math.max(1, Math.round(milliseconds))} ms`,
    ].join(' · '),
    text: cut(formatJson(text)),
    headers: [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n'),
    curl: formatCurl(call, key),
  }
}

function headersOf({ accept, body }: Call, key: string): HeadersInit {
  return {
    Accept: accept,
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(key !== '' && { 'X-API-Key': key }),
  }
}

async function skipStream(response: Response): Promise<string> {
  await response.body?.cancel()
  return 'This is a stream, which does not end: the page of live changes follows it.'
}

function cut(text: string): string {
  return text.length > maxShown ? `${text.slice(0, maxShown)}\n… (cut)` : text
}

/** 294 is partial success: data and errors. */
function kindOf(status: number): Answer['kind'] {
  if (status === 294) return 'partial'
  return status < 400 ? 'done' : 'refused'
}

/** For a POSIX shell; the key stays out of it. */
function formatCurl({ method, path, accept, body }: Call, key: string): string {
  const words = [`curl -i ${quote(location.origin + path)}`]
  if (method !== (body === undefined ? 'GET' : 'POST')) words.push(`-X ${method}`)
  words.push(`-H ${quote(`Accept: ${accept}`)}`)
  if (key !== '') words.push('-H "X-API-Key: $key"')
  if (body !== undefined) words.push(`-H 'Content-Type: application/json'`, `-d ${quote(body)}`)
  return words.join(' \\\n  ')
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
