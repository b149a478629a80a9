import type { HasStreamDefect } from './defects.js'

type Path = readonly (string | number)[]

/** A deferred fragment, or the rest of a streamed list. */
interface Fragment {
  readonly path: Path
  readonly label?: string
  readonly subPath?: Path
  readonly data?: object
  readonly items?: readonly object[]
  /** The index of the first item. */
  readonly start?: number
  readonly errors?: readonly object[]
  /** It fails as a whole, with its errors. */
  readonly fails?: true
  /** It is announced with the data of the fragment before it. */
  readonly isInner?: true
}

/** What a document gets, piece by piece. */
interface Answer {
  readonly data: object
  readonly fragments: readonly Fragment[]
  /** How long the fragments take, in milliseconds. */
  readonly delay?: number
}

/** A payload, and how long after the one before it it is there. */
export interface Payload {
  readonly delay: number
  readonly content: object
}

const ids = (...all: readonly string[]): readonly object[] => all.map((id) => ({ id }))

/** The documents of the suites that are delivered incrementally, without white space. */
const answers: ReadonlyMap<string, Answer> = new Map(
  Object.entries({
    '{ person(id: "3") { id ... @defer(label: "d") { friends { id } } } }': {
      data: { person: { id: '3' } },
      fragments: [{ path: ['person'], label: 'd', data: { friends: ids('1', '4', '6', '7') } }],
    },
    '{ person(id: "3") { id ... @defer(if: false) { friends { id } } } }': {
      data: { person: { id: '3' } },
      fragments: [{ path: ['person'], data: { friends: ids('1', '4', '6', '7') } }],
    },
    'query ($d: Boolean!) { person(id: "3") { id ... @defer(if: $d) { friends { id } } } }': {
      data: { person: { id: '3' } },
      fragments: [{ path: ['person'], data: { friends: ids('1', '4', '6', '7') } }],
    },
    '{ person(id: "7") { address { city } ... @defer(label: "d") { address { country } } } }': {
      data: { person: { address: { city: 'Stockholm' } } },
      fragments: [
        { path: ['person'], label: 'd', subPath: ['address'], data: { country: 'Sweden' } },
      ],
    },
    '{ people @stream(initialCount: 2, label: "s") { id } }': {
      data: { people: ids('1', '2') },
      fragments: [
        {
          path: ['people'],
          label: 's',
          start: 2,
          items: ids('3', '4', '5', '6', '7', '8', '9'),
        },
      ],
    },
    '{ __typename ... @defer(label: "d") { failNonNull } }': {
      data: { __typename: 'Query' },
      fragments: [{ path: [], label: 'd', fails: true, errors: [failure('failNonNull')] }],
    },
    '{ __typename ... @defer(label: "d") { fail } }': {
      data: { __typename: 'Query' },
      fragments: [{ path: [], label: 'd', data: { fail: null }, errors: [failure('fail')] }],
    },
    '{ person(id: "7") { id ... @defer(label: "outer") { age ... @defer(label: "inner") { address { city country } } } } two: person(id: "8") { ... @defer(label: "other") { friends { id } } } }':
      {
        data: { person: { id: '7' }, two: {} },
        fragments: [
          { path: ['person'], label: 'outer', data: { age: 41 } },
          {
            path: ['person'],
            label: 'inner',
            data: { address: { city: 'Stockholm', country: 'Sweden' } },
            isInner: true,
          },
          { path: ['two'], label: 'other', data: { friends: ids('7') } },
        ],
      },
    '{ __typename ... @defer { slow(ms: 600) } }': {
      data: { __typename: 'Query' },
      fragments: [{ path: [], data: { slow: '600' } }],
      delay: 600,
    },
  } satisfies Record<string, Answer>),
)

function failure(field: string): object {
  return { message: `The field ${field} fails.`, path: [field] }
}

/** The answer to a document, unless its directives are off. */
export function findAnswer(
  query: string,
  variables: Record<string, unknown> | null | undefined,
  has: HasStreamDefect,
): Answer | undefined {
  const isOff = query.includes('if: false') || (query.includes('$d') && variables?.['d'] === false)
  const isIgnored =
    has('inc-if-ignored') || (has('inc-if-variable-ignored') && query.includes('$d'))
  return isOff && !isIgnored ? undefined : answers.get(query)
}

/** What is wrong with the directives of a document, as far as the suites look for it. */
export function findDirectiveProblem(query: string, has: HasStreamDefect): string | undefined {
  const labels = query.match(/label: "\w+"/g) ?? []
  if (new Set(labels).size < labels.length && !has('inc-labels-repeated')) return 'A label twice.'
  if (query.includes('label: $') && !has('inc-label-variable')) return 'A label by a variable.'
  if (query.startsWith('mutation { ... @defer') && !has('inc-mutation-root')) {
    return 'A deferred root of a mutation.'
  }
  return query.includes('person(id: "3") @stream') && !has('inc-stream-anywhere')
    ? 'No list to stream.'
    : undefined
}

/** The payloads of an answer in a format. */
export function toPayloads(
  answer: Answer,
  format: 'v0.2' | 'legacy',
  has: HasStreamDefect,
): readonly Payload[] {
  const { delay = 0 } = answer
  const fragments = answer.fragments.map((one) => withItems(one, has))
  const all = format === 'v0.2' ? modern(answer, fragments, has) : legacy(answer, fragments, has)
  return all.map((content, at) => {
    const isLast = at === all.length - 1
    const hasNext = has('inc-has-next-last') || (!isLast && !(at > 0 && has('inc-has-next-false')))
    const isBare = at === 0 && has('inc-has-next-first')
    return {
      delay: at === 0 ? 0 : delay,
      content: {
        ...content,
        ...(isBare ? {} : { hasNext }),
        ...(at > 0 && has('inc-data-in-updates') && { data: null }),
        ...(has('inc-odd-entry') && { odd: true }),
      },
    }
  })
}

function withItems(fragment: Fragment, has: HasStreamDefect): Fragment {
  const { items, data } = fragment
  if (items !== undefined) {
    if (has('inc-items-reversed')) return { ...fragment, items: items.toReversed() }
    return has('inc-items-lost') ? { ...fragment, items: items.slice(0, -1) } : fragment
  }
  return data !== undefined && 'age' in data && has('inc-field-lost')
    ? { ...fragment, data: {} }
    : fragment
}

function initialData({ data }: Answer, has: HasStreamDefect): object {
  if (has('inc-items-first-lost') && 'people' in data) return { people: ids('1') }
  if (has('inc-initial-without-data') && 'person' in data) return { person: {} }
  return structuredClone(data)
}

function modern(
  answer: Answer,
  fragments: readonly Fragment[],
  has: HasStreamDefect,
): readonly object[] {
  const idOf = (at: number): string => (has('inc-ids-repeated') ? '0' : String(at))
  const pend = (at: number): object => ({
    id: idOf(at),
    ...(!has('inc-path-missing') && { path: fragments[at]?.path }),
    ...(!has('inc-label-missing') && { label: fragments[at]?.label }),
  })
  const outer = fragments.flatMap(({ isInner }, at) => (isInner ? [] : [pend(at)]))
  const updates = fragments.map((fragment, at) => {
    const isNext = fragments[at + (has('inc-id-late') ? -1 : 1)]?.isInner === true
    const nextAt = has('inc-id-late') ? at - 1 : at + 1
    return {
      ...(isNext && { pending: [pend(nextAt)] }),
      ...toEntry(fragment, has('inc-id-unknown') ? 'x' : idOf(at), has),
      ...toCompleted(fragment, idOf(at), at === fragments.length - 1, has),
    }
  })
  return [{ data: initialData(answer, has), pending: outer }, ...updates]
}

function toEntry(fragment: Fragment, id: string, has: HasStreamDefect): object {
  const { data, items, subPath, errors, fails } = fragment
  if (fails && !has('inc-failed-with-data')) return {}
  const isKept = errors !== undefined && !has('inc-field-errors-lost') && !has('inc-errors-at-top')
  const entry = {
    id,
    ...(subPath !== undefined && !has('inc-subpath-missing') && { subPath }),
    ...(items === undefined ? { data: data ?? null } : { items }),
    ...(isKept && { errors }),
  }
  return { incremental: [entry], ...(has('inc-errors-at-top') && errors && { errors }) }
}

function toCompleted(
  { fails, errors }: Fragment,
  id: string,
  isLast: boolean,
  has: HasStreamDefect,
): object {
  if (isLast && has('inc-never-completed')) return {}
  const done = { id, ...(fails && !has('inc-failed-silent') && { errors }) }
  return { completed: has('inc-completed-twice') ? [done, { id }] : [done] }
}

function legacy(
  answer: Answer,
  fragments: readonly Fragment[],
  has: HasStreamDefect,
): readonly object[] {
  const updates = fragments.map((fragment) => {
    const { path, subPath = [], label, start, items, errors, fails, data } = fragment
    if (fails && has('inc-legacy-failed-dropped')) return {}
    const place = [...path, ...subPath, ...(start === undefined ? [] : [start])]
    const entry = {
      ...(!has('inc-legacy-path-missing') && { path: place }),
      ...(label !== undefined && { label }),
      ...(items === undefined ? { data: fails ? null : data } : { items }),
      ...(errors && { errors }),
    }
    return { incremental: [entry] }
  })
  return [{ data: initialData(answer, has) }, ...updates]
}
