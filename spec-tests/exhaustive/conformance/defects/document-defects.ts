import { readFixtures } from '../../../conformance/read-fixtures.js'
// oxfmt-ignore
import { asPost, body, both, by, field, get, header, insteadOf, isMap, mapOf, omit, params, paramsOf, readJson, refusal, graphqlType, refuse, reply, request, response, result, search, splitUrl, status, textOf, when, withField, withParams, type Params, type When } from './around.js'
import type { Around, DefectTable, Layers, Request } from './defect.js'
import { fromAnywhere } from './query-defects.js'

const isList: When = (given) => Array.isArray(paramsOf(given))
const isLines: When = (given) => field(given, 'accept')?.includes('application/jsonl') === true
const hasVariableList: When = (given) => Array.isArray(mapOf(given)['variables'])
const ofLines = (layers: Layers): Layers => when(isLines, layers)

/** Changes the results of a batch, which are a list or lines. */
function entries(change: (entries: readonly Params[]) => readonly Params[]): Layers {
  return response((made, given) => {
    const text = textOf(made)
    const list = readJson(text)
    if (Array.isArray(list)) return { body: JSON.stringify(change(list as Params[])) }
    const lines = text.split('\n').filter(Boolean).map(readJson)
    if (!isLines(given) || !lines.every(isMap)) return undefined
    const changed = change(lines).map((one) => `${JSON.stringify(one)}\n`)
    return { body: changed.join('') }
  })
}

/** Defects in executing batches. */
// oxfmt-ignore
export const batchDefects: DefectTable = {
  'batch-unsupported': ['Without batches, a list is 500.', 'batch.refused batch.variables.refused',
    { options: { batch: undefined }, ...refuse(500, (given) => isList(given) || hasVariableList(given)) }],
  'jsonl-status': ['Lines of JSON are 422.', 'batch.jsonl.requests', ofLines(status(200, 422))],
  'batch-order': ['The results of a batch come in the wrong order.', 'batch.order batch.variables batch.operation-name batch.mixed', entries((all) => all.toReversed())],
  'batch-as-done': ['The results of a batch come as they are done.', 'batch.order.slow', when(({ body: bytes }) => bytes.includes('slow'), entries((all) => all.toReversed()))],
  'batch-one': ['A list of one request gets no list.', 'batch.one', response((made) => { const list = readJson(textOf(made)); return Array.isArray(list) && list.length === 1 ? { body: JSON.stringify(list[0]) } : undefined })],
  'batch-all-fail': ['One request error refuses the whole batch.', 'batch.bad-entry', when(isList, response((made) => (textOf(made).includes('"data"') && /(?:^\[|,)\{"errors"/.test(textOf(made)) ? refusal(422) : undefined)))],
  'batch-odd-entry': ['A batch with an entry that is no map is 500.', 'batch.bad-entry.shape batch.nested', refuse(500, (given) => isList(given) && !(paramsOf(given) as unknown[]).every(isMap))],
  'batch-status': ['The results of a batch have an entry for their status.', 'batch.entries.well-formed', entries((all) => all.map((one) => ({ status: 200, ...one })))],
  'batch-empty': ['An empty batch is 200.', 'batch.empty', when((given) => isList(given) && (paramsOf(given) as unknown[]).length === 0, { around: () => reply(200, []) })],
  'batch-no-limit': ['A batch may have any number of requests.', 'batch.limit', { options: { batch: { maxOperations: 100_000 } } }],
  'batch-type': ['The media type of a batch is that of one result.', 'batch.one', when(isList, header('content-type', () => `${graphqlType}; charset=utf-8`))],
  'batch-query-method': ['A batch by QUERY runs mutations.', 'batch.query-method', when(by('QUERY'), request(asPost))],
  'jsonl-no-index': ['Lines of JSON have no index.', 'batch.jsonl.requests batch.jsonl.variables batch.jsonl.both batch.jsonl.bad-entry batch.jsonl.bad-variables',
    ofLines(entries((all) => all.map((one) => omit(one, 'requestIndex', 'variableIndex'))))],
  'jsonl-list': ['Lines of JSON are one list.', 'batch.jsonl.lines batch.jsonl.variables-lines batch.jsonl.bad-beside-good batch.jsonl.slow',
    ofLines(response((made) => (textOf(made).includes('}\n{') ? { body: `[${textOf(made).trim().split('\n').join(',')}]` } : undefined)))],
  'jsonl-not-preferred': ['Lines of JSON are the last choice, whatever their q.', 'batch.jsonl.preferred', when((given) => isLines(given) && field(given, 'accept')?.includes(graphqlType) === true,
    response((made) => ({ headers: { ...made.headers, 'content-type': 'application/json; charset=utf-8' }, body: `[${textOf(made).trim().split('\n').join(',')}]` })))],
  'jsonl-variables-none': ['An empty list of variables gets a line.', 'batch.jsonl.variables-none', ofLines(response((made) => (textOf(made) === '' ? { body: '{"data":null}' } : undefined)))],
  'jsonl-field-error': ['A field error drops the data of its line.', 'batch.jsonl.semantics', ofLines(entries((all) => all.map((one) => ('errors' in one && 'data' in one ? { ...one, data: null } : one))))],
}

const stored = readFixtures('optional/persisted-documents.json') as Record<string, object>
const { documents, custom, standard } = stored
const texts = { ...documents, ...custom, ...standard } as Readonly<Record<string, string>>

const inPath: When = ({ target }) => /^\/graphql\/./.test(target)
const isStored: When = (given) => inPath(given) || mapOf(given)['documentId'] != null
const idOf = (given: Request): unknown => mapOf(given)['documentId']
const textById = (given: Request): string => texts[String(idOf(given))] ?? ''
const ofStored = (layers: Layers): Layers => when(isStored, layers)
const otherId = (change: (id: string) => string): Layers =>
  params(({ documentId: id, ...given }) => {
    return { ...given, documentId: typeof id === 'string' ? change(id) : id }
  })
const path = (change: (target: string) => string): Layers =>
  request((given) => (inPath(given) ? { target: change(given.target) } : undefined))

/** Defects in finding stored documents. */
// oxfmt-ignore
export const documentDefects: DefectTable = {
  'document-status': ['The data of a stored document is 202.', 'persisted.custom persisted.get persisted.post', ofStored(status(200, 202))],
  'document-variables': ['Stored documents get no variables of the request.', 'persisted.variables persisted.standard', ofStored(params((given) => ({ ...given, variables: { b: true, s: '' } })))],
  'document-variables-get': ['Broken variables beside documentId are ignored.', 'persisted.variables.get',
    ofStored(when(get, search((given) => { if (given.has('variables') && readJson(given.get('variables') ?? '') === undefined) given.set('variables', '{"b":true}') })))],
  'document-operation': ['Stored documents ignore operationName.', 'persisted.operation-name persisted.mutation.named', ofStored(params((given) => omit(given, 'operationName')))],
  'document-latin1': ['A stored document that is not ASCII is not found.', 'persisted.utf8', refuse(422, (given) => textById(given).includes('ß'))],
  'document-trimmed': ['A stored document with white space around it is not found.', 'persisted.exact-bytes', refuse(422, (given) => textById(given) !== textById(given).trim())],
  'document-upper-case': ['Identifiers are compared without regard to case.', 'persisted.upper-case', otherId((id) => id.toLowerCase())],
  'document-200': ['An unknown identifier is 200 with errors.', 'persisted.unknown persisted.unknown.get persisted.unknown.forms persisted.reserved-prefix persisted.prototype', ofStored(status([400, 404, 422], 200))],
  'document-two-errors': ['An unknown identifier has two errors.', 'persisted.unknown persisted.path.unknown', ofStored(result(({ errors, ...made }) => (Array.isArray(errors) ? { ...made, errors: [...(errors as unknown[]), ...(errors as unknown[])] } : made)))],
  'path-status': ['A document by its path is 203.', 'persisted.path', when(inPath, status(200, 203))],
  'path-operation': ['The operation in a path is ignored.', 'persisted.path.operation', path((target) => target.replace(/^(\/graphql\/[^/?]+)\/[^?]*/, '$1'))],
  'path-variables': ['Variables beside a path are ignored.', 'persisted.path.variables persisted.path.post', when(inPath, both(request(({ target }) => ({ target: target.replace(/\?.*/, '') })), body(() => '{}')))],
  'path-post': ['A document by its path is not for POST.', 'persisted.path.post', refuse(405, (given) => inPath(given) && by('POST')(given))],
  'path-direct': ['documentId is only taken in a path.', 'persisted.path.direct', refuse(404, (given) => get(given) && !inPath(given) && isStored(given))],
  'document-prefix': ['What follows a prefix that is not sha256 is ignored.', 'persisted.reserved-prefix', otherId((id) => (/^(?:SHA256|md5|sha1):/.test(id) ? (Object.keys(texts)[0] ?? '') : id))],
  'document-prototype': ['Identifiers are looked up in a map that inherits from Object.prototype.', 'persisted.prototype', refuse(500, (given) => typeof idOf(given) === 'string' && String(idOf(given)) in {})],
  'document-not-a-string': ['A documentId that is no string is 500.', 'persisted.not-a-string', refuse(500, (given) => idOf(given) != null && typeof idOf(given) !== 'string')],
  'document-missing': ['A request with neither query nor documentId is 200 with errors.', 'persisted.missing persisted.string query.body.no-query', when((given) => !('query' in mapOf(given)) && idOf(given) == null, status(422, 200))],
  'document-wins': ['documentId wins over query.', 'persisted.both', ofStored(params((given) => omit(given, 'query')))],
  'document-url': ['A POST reads documentId from its URL.', 'persisted.url.ignored', when(by('POST'), params((own, given) => ({ ...Object.fromEntries(splitUrl(given)[1]), ...own })))],
  'document-extensions': ['extensions beside documentId is refused.', 'persisted.extensions', refuse(422, (given) => isStored(given) && mapOf(given)['extensions'] != null)],
  'document-null': ['null beside documentId is refused.', 'persisted.null', refuse(422, (given) => isStored(given) && Object.values(mapOf(given)).includes(null))],
  'document-unknown-property': ['A property that is not a parameter is refused beside documentId.', 'persisted.unknown-properties', refuse(422, (given) => isStored(given) && 'graphwireUnknown' in mapOf(given))],
  'document-canonical': ['documentId has to be the first parameter of a URL.', 'persisted.canonical', refuse(400, (given) => get(given) && /[&]documentId=/.test(given.target))],
  'document-post-mutation': ['A stored mutation is refused by POST.', 'persisted.mutation.post', refuse(422, (given) => by('POST')(given) && textById(given).includes('mutation'))],
  'document-query-mutation': ['A stored mutation runs by QUERY.', 'persisted.query-method', ofStored(when(by('QUERY'), insteadOf(422, asPost)))],
  'document-coercion': ['Variables of a stored document that cannot be coerced are 200.', 'persisted.variables.missing', ofStored(status(422, 200))],
  'document-unclear': ['An operation of a stored document that cannot be determined is 200.', 'persisted.operation-name.missing', ofStored(status(422, 200))],
  'document-empty-operation': ['An empty operationName beside documentId is searched for.', 'persisted.operation-name.empty', refuse(422, (given) => isStored(given) && get(given) && /operationName=(?:&|$)/.test(given.target))],
  'get-mutation': ['GET runs a mutation.', 'csrf.get.mutation apq.mutation.get apq.mutation.get-hash apq.mutation.halts persisted.mutation.get persisted.path.mutation persisted.mutation.named persisted.mutation.halts', when(get, both(fromAnywhere, insteadOf(405, asPost)))],
}

interface Hash {
  readonly version?: unknown
  readonly sha256Hash?: unknown
}
const hashOf = (given: Params): unknown =>
  isMap(given['extensions']) ? given['extensions']['persistedQuery'] : undefined
const isHashed: When = (given) => hashOf(mapOf(given)) !== undefined
const isAlone: When = (given) => isHashed(given) && mapOf(given)['query'] === undefined
const isRegistered: When = (given) => isHashed(given) && !isAlone(given)
const sha = (given: Request): unknown => (hashOf(mapOf(given)) as Hash | null)?.sha256Hash
const otherHash = (change: (hash: Hash) => Hash): Layers =>
  params((given) => {
    const hash = hashOf(given)
    if (!isMap(hash)) return given
    const extensions = { ...(given['extensions'] as Params), persistedQuery: change(hash) }
    return { ...given, extensions }
  })
/** A hash that is found, but with something wrong. */
const found = (layers: Layers): Layers => when(isAlone, layers)
const known = response((made) =>
  made.status === 422 && !/NOT_?FOUND/i.test(textOf(made)) ? reply(200, { data: {} }) : undefined,
)
const text = (given: Request): string => String(mapOf(given)['query'])

/** Keeps the documents of clients without looking at their hashes. */
function trusting(): Layers {
  const store = new Map<unknown, unknown>()
  return when(isHashed, {
    around: (given, next) => {
      const rest = omit(mapOf(given), 'extensions')
      if (rest['query'] !== undefined) store.set(sha(given), rest['query'])
      const query = rest['query'] ?? store.get(sha(given))
      return next(query === undefined ? given : withParams(given, { ...rest, query }))
    },
  })
}

/** Takes each document that came with its hash for valid. */
function believing(): Layers {
  const seen = new Set<unknown>()
  return when(isHashed, {
    around: async (given, next) => {
      if (isRegistered(given)) seen.add(sha(given))
      const made = await next(given)
      return isAlone(given) && seen.has(sha(given)) ? reply(200, { data: {} }) : made
    },
  })
}

/** Defects in automatic persisted queries. */
// oxfmt-ignore
export const apqDefects: DefectTable = {
  'apq-unsupported': ['Without persisted queries, a hash alone is 200 with errors.', 'apq.unsupported apq.unsupported.query', { options: { apq: undefined },
    around: (given, next) => (isAlone(given) ? refusal(200) : isHashed(given) ? refusal(422) : next(given)) }],
  'apq-200': ['An unknown hash is 200 with errors.', 'apq.miss apq.miss.get', found(status([400, 404, 422], 200))],
  'apq-not-stored': ['Documents are not stored.', 'apq.hit apq.hit.get apq.register.get apq.variables apq.utf8 apq.exact-bytes', found(otherHash((hash) => ({ ...hash, sha256Hash: '0'.repeat(64) })))],
  'apq-register': ['A document with its hash is refused.', 'apq.register apq.extension.more', refuse(422, isRegistered)],
  'apq-coercion': ['Variables of a hash that cannot be coerced are 200.', 'apq.coercion', found(known)],
  'apq-latin1': ['A document that is not ASCII does not fit its hash.', 'apq.utf8', refuse(422, (given) => isRegistered(given) && /[^ -~\s]/.test(text(given)))],
  'apq-trimmed': ['A document with white space around it does not fit its hash.', 'apq.exact-bytes', refuse(422, (given) => isRegistered(given) && text(given) !== text(given).trim())],
  'apq-wrong-hash': ['A document is stored under any hash.', 'apq.wrong-hash apq.poisoned', trusting],
  'apq-invalid': ['A stored document that is not valid is 200.', 'apq.invalid', believing],
  'apq-version': ['Any version of the extension is taken.', 'apq.version', otherHash((hash) => ({ ...hash, version: 1 }))],
  'apq-hash-type': ['A hash that is no string is 500.', 'apq.hash.type', refuse(500, (given) => isMap(hashOf(mapOf(given))) && typeof sha(given) !== 'string')],
  'apq-prototype': ['Hashes are looked up in a map that inherits from Object.prototype.', 'apq.hash.prototype', refuse(500, (given) => String(sha(given)) in {})],
  'apq-upper-case': ['Hashes are compared without regard to case.', 'apq.hash.upper-case', otherHash((hash) => ({ ...hash, sha256Hash: String(hash.sha256Hash).toLowerCase() }))],
  'apq-extension-type': ['An extension that is no map is 500.', 'apq.extension.type', refuse(500, (given) => isHashed(given) && !isMap(hashOf(mapOf(given))))],
}

/** What the proposals of `next` add: service capabilities, which no graphql-js has yet, and a media type of requests. */
export const proposals: Around = (given, next) => {
  const query = text(given)
  if (query.includes('"__Service"')) return reply(200, { data: { __type: { name: '__Service' } } })
  if (!query.includes('__service')) return next(withType(given))
  return reply(200, { data: { __service: { capabilities } } })
}

const withType = (given: Request): Request =>
  field(given, 'content-type')?.startsWith('application/graphql-request+json')
    ? withField(given, 'content-type', 'application/json')
    : given

const capabilities = [
  { name: 'graphql.operationDescriptions', value: null },
  { name: 'example.transport.sse', value: '/stream' },
]
const serves = (served: unknown): Layers =>
  when((given) => text(given).includes('__service'), {
    around: () => reply(200, { data: { __service: { capabilities: served } } }),
  })

/** Defects in the proposal of service capabilities. */
// oxfmt-ignore
export const serviceDefects: DefectTable = {
  'service-list': ['The capabilities are no list.', 'service.capabilities', serves(capabilities[0])],
  'service-names': ['A capability has a name without a dot.', 'service.capabilities', serves([{ name: 'single', value: null }])],
  'service-underscore': ['The name of a capability begins with an underscore.', 'service.capabilities', serves([{ name: '_reserved.name', value: null }])],
  'service-values': ['The value of a capability is a number.', 'service.capabilities', serves([{ name: 'graphql.operationDescriptions', value: 1 }])],
}
