import { createElement, elementOf, takeLinkedKey } from './page.js'
import { send, type Answer, type Fields } from './request.js'

// oxfmt-ignore
const examples: readonly (readonly [title: string, method: string, path: string, body?: string, variables?: string])[] = [
  ['A person and friends',   'POST',  '/graphql', '{\n  person(id: 1) {\n    name\n    address { city }\n    friends(limit: 2) { name }\n  }\n}'],
  ['A page, with variables', 'POST',  '/graphql', 'query Page($n: Int, $after: ID) {\n  people(limit: $n, after: $after) {\n    id\n    name\n  }\n}', '{ "n": 3, "after": 10 }'],
  ['Data and errors',        'POST',  '/graphql', '{\n  person(id: 1) { name }\n  people(limit: 101) { id }\n}'],
  ['A mistake',              'POST',  '/graphql', '{\n  person(id: 1) { nam }\n}'],
  ['A write',                'POST',  '/graphql', 'mutation {\n  updatePerson(id: 1, input: { age: 36 }) {\n    name\n    age\n    version\n  }\n}'],
  ['A person',               'GET',   '/person/1'],
  ['A page',                 'GET',   '/people?limit=3&after=10'],
  ['Not found',              'GET',   '/person/4711'],
  ['A mistake',              'GET',   '/people?limit=101'],
  ['A write',                'PATCH', '/person/1', '{ "address": { "city": "Rome" } }'],
  ['List people',            'POST',  '/mcp', '{ "name": "ListPeople", "arguments": { "limit": 3 } }'],
  ['A person',               'POST',  '/mcp', '{ "name": "GetPerson", "arguments": { "id": 1 } }'],
  ['A mistake',              'POST',  '/mcp', '{ "name": "ListPeople", "arguments": { "limit": 101 } }'],
]

function surfaceOf(path: string): readonly [place: string, body: string] {
  if (path === '/graphql') return ['graphql-examples', 'Query']
  if (path === '/mcp') return ['tool-examples', 'Tool and arguments (JSON)']
  return ['resource-examples', 'Body (JSON), not for GET']
}

const form = elementOf('request', HTMLFormElement)
const status = elementOf('status', HTMLElement)
const keyBox = elementOf('key-box', HTMLDetailsElement)
const keyField = elementOf('key', HTMLInputElement)
const keyState = elementOf('key-state', HTMLElement)
const variablesBox = elementOf('variables-box', HTMLElement)
const { auth } = document.body.dataset

/** The number of the last request: late answers to earlier ones are not shown. */
let latest = 0

const linkedKey = takeLinkedKey()
keyField.value = linkedKey
keyBox.open = auth === 'all' && linkedKey === ''
showKey(undefined)
keyField.addEventListener('input', () => showKey(undefined))

form.addEventListener('input', showForm)
form.addEventListener('submit', (event) => {
  event.preventDefault()
  void run()
})
form.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void run()
})

const buttons = examples.map(([title, method, path, body = '', variables = '']) => {
  const fields = { method, path, body, variables }
  const button = createElement('button', 'example', title)
  button.type = 'button'
  button.addEventListener('click', () => {
    fill(button, fields)
    // Where all is in one column, the request is below the examples.
    if (innerWidth < 832) form.scrollIntoView()
    if (!isWrite(fields)) return void run()
    latest += 1
    show({ kind: 'ready', summary: 'This example writes: press Send to run it.' })
    if (keyField.value === '' && auth !== 'off') keyBox.open = true
  })
  elementOf(surfaceOf(path)[0], HTMLElement).append(button)
  return { button, fields }
})

// The first example has an answer at once, if the service answers without a key.
const [first] = buttons
if (first !== undefined) fill(first.button, first.fields)
if (linkedKey !== '' || auth !== 'all') void run()

function fill(chosen: HTMLButtonElement, fields: Fields): void {
  for (const button of document.querySelectorAll('.example')) {
    button.setAttribute('aria-pressed', String(button === chosen))
  }
  for (const [name, value] of Object.entries(fields)) {
    ;(form.elements.namedItem(name) as HTMLInputElement).value = value
  }
  showForm()
}

function read(): Fields {
  return Object.fromEntries(new FormData(form)) as unknown as Fields
}

function showForm(): void {
  const { path } = read()
  variablesBox.hidden = path !== '/graphql'
  elementOf('body-label', HTMLElement).textContent = surfaceOf(path)[1]
}

function isWrite({ method, path, body }: Fields): boolean {
  if (path === '/graphql') return /^\s*mutation\b/.test(body)
  return path !== '/mcp' && method !== 'GET'
}

async function run(): Promise<void> {
  const number = (latest += 1)
  show({ kind: 'waiting', summary: 'Waiting for the answer …' })
  let answer: Answer
  try {
    answer = await send(read(), keyField.value.trim())
  } catch (error) {
    answer = { kind: 'failed', summary: (error as Error).message }
  }
  if (latest !== number) return
  show(answer)
  // A mutation without a key has data, which is null.
  showKey(answer.text?.includes('"UNAUTHENTICATED"') ? 401 : answer.status)
}

function show({ kind, summary, sentence, ...parts }: Answer): void {
  status.dataset['kind'] = kind
  status.textContent = summary
  for (const part of ['text', 'headers', 'curl'] as const) {
    elementOf(part, HTMLElement).textContent = parts[part] ?? ''
  }
  const link = createElement('a', '', 'the specification')
  link.href = sentence?.url ?? ''
  elementOf('sentence', HTMLElement).replaceChildren(
    ...(sentence === undefined ? [] : [`“${sentence.text}” See `, link, '.']),
  )
}

function showKey(code: number | undefined): void {
  const key = keyField.value
  const isRefused = code === 401 && key !== ''
  keyField.setAttribute('aria-invalid', String(isRefused))
  // The IDE takes the key out of its address. Fragments are not sent to servers.
  for (const link of document.querySelectorAll('a[href^="/graphql"]')) {
    const fragment = key === '' ? '' : `#key=${encodeURIComponent(key.trim())}`
    link.setAttribute('href', `/graphql${fragment}`)
  }
  if (code === 401) keyBox.open = true
  const isLinked = key !== '' && key === linkedKey
  keyState.textContent = isRefused
    ? 'The service has refused this key: it is invalid, or has been revoked.'
    : code === 401
      ? 'This request needs a key.'
      : isLinked
        ? 'The key of the link is in use.'
        : ''
}
