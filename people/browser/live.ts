import { follow, type Connection, type ServerEvent } from './follow.js'
import {
  createElement,
  differencesOf,
  elementOf,
  formatJson,
  takeLinkedKey,
  type Person,
} from './page.js'

/** A change, as `/people/changes` sends it. */
interface Change {
  readonly kind: 'ADDED' | 'CHANGED' | 'REMOVED'
  readonly id: string
  /** Null once the person has been removed. */
  readonly person: Person | null
}

/** People as they were last seen, by id: those of the first page when it connects, and those of changes. */
const seen = new Map<string, Person>()

/** Otherwise the first change of a person would be shown without its differences. */
async function see(key: string): Promise<void> {
  const query =
    '{ people(limit: 100) { id name age email address { street city country } version } }'
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(key !== '' && { 'X-API-Key': key }) },
    body: JSON.stringify({ query }),
  })
  const { data } = (await response.json()) as { data?: { people: (Person & { id: string })[] } }
  for (const person of data?.people ?? []) if (!seen.has(person.id)) seen.set(person.id, person)
}

/** The page may stay open for days. */
const maxEntries = 200

const state = elementOf('state', HTMLElement)
const changes = elementOf('changes', HTMLOListElement)
const empty = elementOf('empty', HTMLElement)
const bar = elementOf('bar', HTMLElement)
const count = elementOf('count', HTMLElement)
const keyForm = elementOf('key-form', HTMLFormElement)
const keyField = elementOf('key', HTMLInputElement)

let total = 0
let following = new AbortController()

elementOf('origin', HTMLElement).textContent = location.origin
elementOf('clear', HTMLButtonElement).addEventListener('click', () => {
  changes.replaceChildren()
  total = 0
  showCount()
})
keyForm.addEventListener('submit', (event) => {
  event.preventDefault()
  start(keyField.value.trim())
})

const linkedKey = takeLinkedKey()
keyField.value = linkedKey
if (linkedKey === '' && document.body.dataset['auth'] === 'all') {
  showState('refused', 'A key is required here. Enter one to follow the changes.')
  keyForm.hidden = false
} else start(linkedKey)

function start(key: string): void {
  following.abort()
  following = new AbortController()
  const listener = { onConnection: showConnection, onEvent: showEvent }
  void follow('/people/changes', key, listener, following.signal)
}

function showConnection(connection: Connection): void {
  switch (connection.kind) {
    case 'connecting':
      return showState('waiting', 'Connecting …')
    case 'open':
      if (seen.size === 0) see(keyField.value.trim()).catch(() => {})
      keyForm.hidden = true
      if (!connection.isGapless) addNotice('Changes before this line may be missing.')
      return showState('open', 'Connected. Changes appear here as they happen.')
    case 'lost': {
      const { status } = connection
      const reason = status === undefined ? '' : ` The service answered ${status}.`
      return showState('waiting', `Connection lost.${reason} Connecting again …`)
    }
    case 'refused':
      keyForm.hidden = false
      keyField.focus()
      return showState('refused', refusal())
  }
}

function refusal(): string {
  return keyField.value === ''
    ? 'A key is required here (401). Enter one to follow the changes.'
    : 'The key is invalid, or has been revoked (401). Enter another one.'
}

function showState(kind: string, text: string): void {
  state.dataset['kind'] = kind
  state.textContent = text
}

function showEvent({ type, data, lastEventId }: ServerEvent): void {
  if (type === 'problem') {
    const { code, detail } = JSON.parse(data) as { readonly code: string; readonly detail: string }
    addNotice(code === 'POSITION_TOO_OLD' ? `Changes are missing here: ${detail}` : detail)
  } else if (type === 'message') addChange(JSON.parse(data) as Change, data, lastEventId)
}

function addChange({ kind, id, person }: Change, data: string, position: string): void {
  const now = new Date()
  const time = createElement('time', 'time', now.toLocaleTimeString())
  time.dateTime = now.toISOString()
  const link = createElement('a', '', `/person/${id}`)
  link.href = `/person/${encodeURIComponent(id)}`
  const before = seen.get(id)
  const { name } = person ?? before ?? { name: `Person ${id}` }
  const differences = before === undefined || person === null ? [] : differencesOf(before, person)
  if (person !== null) seen.set(id, person)
  const about = person === null ? '' : `, version ${person.version}`
  const summary = createElement(
    'summary',
    '',
    createElement('span', `badge ${kind.toLowerCase()}`, kind.toLowerCase()),
    createElement('strong', '', name),
    createElement('span', 'differences', differences.join(', ')),
    createElement('span', 'about', `change ${position}${about}`),
    time,
  )
  const details = createElement('details', '', summary, link)
  details.append(createElement('pre', '', formatJson(data)))
  addEntry(createElement('li', '', details))
  total += 1
  showCount()
}

function addNotice(text: string): void {
  addEntry(createElement('li', 'notice', text))
}

function addEntry(entry: HTMLLIElement): void {
  changes.prepend(entry)
  while (changes.childElementCount > maxEntries) changes.lastElementChild?.remove()
  empty.hidden = true
  bar.hidden = false
}

function showCount(): void {
  empty.hidden = changes.childElementCount > 0
  const shown = total > maxEntries ? `, of which the last ${maxEntries} are shown` : ''
  count.textContent = total === 0 ? '' : `${total} ${total === 1 ? 'change' : 'changes'}${shown}`
}
