// oxfmt-ignore
import { asPost, by, get, header, insteadOf, query, readJson, refuse, request, search, status, tooLate, when, without } from './around.js'
import type { DefectTable } from './defect.js'

const isOther = by('PUT', 'PATCH', 'DELETE')
const latin1 = (text: string): string => Buffer.from(text).toString('latin1')

/** Defects in what a method means. */
// oxfmt-ignore
export const methodDefects: DefectTable = {
  'allow-missing': ['A 405 has no Allow.', 'http.method.put invariant.status.405', without('allow')],
  'allow-missing-on-get-mutation': ['The 405 for a mutation by GET has no Allow.', 'get.mutation.refused invariant.status.405', when(get, without('allow'))],
  'allow-in-lower-case': ['Allow lists the methods in lower case.', 'http.method.allow-lists-get http.options.answered', header('allow', (value) => value?.toLowerCase())],
  '405-is-404': ['A method that is not served is 404.', 'http.method.put errors.method', when(isOther, status(405, 404))],
  '405-is-500': ['A method that is not served is 500.', 'http.method.put errors.method', when(isOther, status(405, 500))],
  'put-served-like-post': ['PUT runs an operation as POST does.', 'http.method.put http.method.no-data', when(by('PUT'), request(() => ({ method: 'POST' })))],
  'head-405': ['HEAD is refused although GET is served.', 'http.head.like-get', refuse(405, by('HEAD'))],
  'head-runs-mutations': ['HEAD runs a mutation.', 'http.head.mutation-halts http.head.mutation', when(by('HEAD'), request(asPost))],
  'options-500': ['OPTIONS fails with 500.', 'http.options.answered', refuse(500, by('OPTIONS'))],
  'options-without-allow': ['A response to OPTIONS has no Allow.', 'http.options.answered', when(by('OPTIONS'), without('allow'))],
  'get-runs-mutations': ['GET runs a mutation.', 'get.mutation.refused get.mutation.selected', when(get, insteadOf(405, asPost))],
  'get-refuses-any-mutation': ['GET refuses a document that has a mutation, though a query is selected.', 'get.mutation.elsewhere',
    refuse(405, ({ method, target }) => method === 'GET' && target.includes('mutation'))],
  'get-mutation-400': ['A mutation by GET is 400.', 'get.mutation.refused get.mutation.selected', when(get, status(405, 400))],
  'get-mutation-200': ['A mutation by GET is 200 with errors.', 'get.mutation.refused get.mutation.selected', when(get, status(405, 200))],
  'get-mutation-refused-too-late': ['A mutation by GET runs, and then the status is 405.', 'get.mutation.stops', when(get, insteadOf(405, asPost, tooLate))],
  'options-runs-operations': ['OPTIONS runs an operation as POST does.', 'http.options.mutation-halts', when(by('OPTIONS'), request(() => ({ method: 'POST' })))],
}

/** Defects in reading a URL. */
// oxfmt-ignore
export const getDefects: DefectTable = {
  'get-plus-kept': ['+ in a query component is not a space.', 'get.plus', query((text) => text.replaceAll('+', '%2B'))],
  'get-names-not-decoded': ['Names of parameters are not percent-decoded.', 'get.names', query((text) => text.replaceAll(/%71uery|quer%79|q%75ery/gi, 'other'))],
  'get-decoded-twice': ['The query component is percent-decoded twice.', 'get.literals', query((text) => text.replaceAll('%25', '%'))],
  'get-semicolon-separates': ['A semicolon separates parameters as & does.', 'get.literals', query((text) => text.replaceAll(/;|%3b/gi, '&'))],
  'get-in-latin1': ['Percent-encoded bytes are read as Latin-1.', 'get.utf-8', when(get, search((read) => read.set('query', latin1(read.get('query') ?? ''))))],
  'get-variables-not-parsed': ['variables of a GET is treated as a string.', 'get.variables get.extensions', when(get, search((read) => change(read, JSON.stringify)))],
  'get-broken-variables-ignored': ['variables of a GET that is not JSON is ignored.', 'get.variables.text get.variables.broken',
    when(get, search((read) => change(read, (text) => (readJson(text) === undefined ? 'null' : text))))],
  'get-empty-json-refused': ['An empty variables or extensions of a GET is refused as broken JSON.', 'get.empty-string.extensions get.empty-string.all',
    refuse(400, (given) => get(given) && /(?:variables|extensions)=(?:&|$)/.test(given.target))],
  'get-empty-name-kept': ['An empty operationName of a GET is searched for in the document.', 'get.empty-string.operation-name get.empty-string.all',
    refuse(422, (given) => get(given) && /operationName=(?:&|$)/.test(given.target))],
  'get-operation-name-null-is-none': ['operationName=null in a URL counts as absent.', 'get.operation-name.null get.operation-name.null-unknown',
    query((text) => text.replace('operationName=null', ''))],
}

function change(read: URLSearchParams, how: (text: string) => string): void {
  for (const name of ['variables', 'extensions']) {
    const text = read.get(name)
    if (text !== null && text !== '') read.set(name, how(text))
  }
}
