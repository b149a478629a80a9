import { fileURLToPath } from 'node:url'
import t from 'tap'
import { say } from './say.js'

const folder = new URL('../../../fixtures/standard/', import.meta.url)
const schema = fileURLToPath(new URL('schema.graphql', folder))
const editions = '--edition 2026-09,2025-05'

/** Command lines that are refused before anything is done: with exit code 3 where a file is at fault, else with 2. */
// oxfmt-ignore
const refused: readonly [line: string, message: RegExp, code?: number][] = [
  ['servr',                                      /^graphwire: Unknown command "servr"\. Did you mean serve\?$/m],
  ['hlep',                                       /Did you mean help\?$/m],
  ['help srve',                                  /Unknown command "srve"\. Did you mean serve\?$/m],
  ['--hlep',                                     /Expected a command before --hlep\. Did you mean --help\?$/m],
  ['--port 1 serve',                             /Expected a command before --port\.$/m],
  ['constructor',                                /Unknown command "constructor"\.$/m],
  ['serve --prot 1',                             /Unknown flag --prot\. Did you mean --port\?$/m],
  ['serve a.gql -- --help',                      /serve takes one schema file, got a\.gql, --help\.$/m],
  ['serve',                                      /serve requires a schema file, or --standard\.$/m],
  ['serve a.gql b.gql',                          /serve takes one schema file, got a\.gql, b\.gql\.$/m],
  ['serve a.txt',                                /a\.txt is not a schema file: expected SDL \(.*\) or a module \(.*\)\.$/m],
  ['serve --standard a.gql',                     /--standard has its own .* remove a\.gql\.$/m],
  ['serve --standard --data=a',                  /--standard has its own .* remove --data\.$/m],
  ['serve --standard --watch',                   /--standard has its own .* remove --watch\.$/m],
  ['serve a.js --resolvers=b.js',                /--resolvers requires an SDL file: the module a\.js has/m],
  ['serve a.gql --path x',                       /--path: expected a path such as \/graphql, .* got "x"\.$/m],
  ['serve a.gql --watch-documents',              /--watch-documents requires --documents/],
  ['serve a.gql --capabilities=all',             /--capabilities requires --standard/],
  ['serve --standard --capabilities=teleport',   /all, or a list of one of documents, document-path, apq/],
  ['serve a.gql --tls-key=key.pem',              /^graphwire: --tls-key requires --tls-cert\.$/m],
  ['serve a.gql --tls-cert=x',                   /^graphwire: --tls-cert requires --tls-key/m],
  ['serve a.gql --http2',                        /^graphwire: --http2 requires --tls-cert/m],
  ['conform',                                    /conform requires the URL of a server, such as/],
  ['conform localhost:4000',                     /Not an http or https URL: "localhost:4000"\./],
  ['conform graphql',                            /Not a URL: "graphql"\./],
  ['conform http://a/ http://b/',                /takes one URL, got http:\/\/a\/, http:\/\/b\/\./],
  ['conform http://a/ --suite accpt',            /has no suite accpt\. Did you mean accept\? It has core, /],
  ['conform http://a/ --case get.mutation.refusd', /has no case get\.mutation\.refusd\. Did you mean/],
  ['conform http://a/ --case get.mut',           /Edition 2026-09 has no case get\.mut\./],
  ['conform http://a/ --edition 2020',           /--edition: expected one or more of 2024-01, .*, got "2020"\./],
  ['conform http://a/ --edition 2026-08 --case x', /Edition 2026-09 has no case x\./],
  ['conform http://a/ --reporter xml',           /--reporter: expected one of pretty, tap, json, /],
  ['conform http://a/ --header nonsense',        /--header: expected a header such as "Authorization: /],
  ['conform http://a/ --header=a:b\nc:d',        /--header: expected a header such as/],
  ['conform http://a/ --timeout 0',              /--timeout: expected a whole number from 1 to 2147483647/],
  ['conform http://me:secret@a/',                /^graphwire: The URL has credentials, .*: use --header "Authorization: /],
  ['conform http://secret@a/',                   /^graphwire: The URL has credentials, [^@]*\n/],
  ['conform http://a/?key=1&query=%7Ba%7D',      /^graphwire: The URL has the parameter query, which the requests of the suite set themselves\. Remove it\.\n/],
  ['conform http://a/?%76ariables=',             /^graphwire: The URL has the parameter variables, /],
  ['conform http://a/?operationName',            /^graphwire: The URL has the parameter operationName, /],
  ['conform http://a/?a=b&extensions={} --list', /^graphwire: The URL has the parameter extensions, /],
  ['conform http://a/ --target /no/file',        /\/no\/file: no such file/],
  ['conform http://a/ --known-failures /no/file', /\/no\/file: no such file/],
  ['conform diff a b c',                         /conform diff takes two reports, got 3\./],
  ['conform diff /no/a /no/b',                   /\/no\/a: no such file/],
  ['conform diff a b --verbose',                 /--verbose cannot be used with conform diff\./],
  ['conform diff a b --reporter tap',            /conform diff has the reporters pretty and html, got tap\./],
  [`conform http://a/ ${editions}`,              /Use several editions with --reporter html\./],
  [`conform http://a/ ${editions} --reporter=html --list`, /Use --list with one edition\./],
  [`conform http://a/ ${editions} --reporter=html --write-known-failures=a`, /Use a list of known failures with one edition\./],
  [`conform http://a/ ${editions} --reporter=html --case=x`, /Edition 2026-09, 2025-05 has no case x\./],
  ['documents',                                  /documents requires one of check, build, diff, got ""/],
  ['documents chekc',                            /documents requires one of check, build, diff, got "chekc"/],
  ['documents check good.json --out=x --schema=a', /--out is a flag of documents build/],
  ['documents build x.graphql --unused',         /--unused is a flag of documents check/],
  ['documents check good.json',                  /documents check requires --schema/],
  ['documents check --schema=a.graphql',         /documents check requires a manifest/],
  ['documents check good.json --schema=none.graphql', /none\.graphql: no such file/, 3],
  ['documents check number.json --schema',       /--schema/],
  ['documents diff a.json b.json c.json',        /documents diff takes two manifests, got 3/],
  ['documents diff a.json b.json --out=x',       /--out is a flag of documents build/],
  ['documents diff none.json b.json',            /none\.json: no such file/, 3],
  ['doctor /no/such/folder',                     /\/no\/such\/folder: no such file/],
  ['doctor a b',                                 /doctor takes one folder or schema file/],
  ['doctor . --url http://localhost/',           /--url checks a server: remove \./],
  ['doctor --url http://localhost:1/',           /cannot be reached/],
  ['doctor --url nonsense',                      /Not a URL/],
  ['doctor package.json',                        /expected a folder, or a schema file/],
  ['explain',                                    /explain requires a schema file, a URL, a status or a code/],
  ['explain 418',                                /never sends the status 418/],
  ['explain NOT_ACCEPTABEL',                     /No error has the code "NOT_ACCEPTABEL"\. Did you mean NOT_ACCEPTABLE\?/],
  ['explain x.txt',                              /neither a schema file nor a URL/],
  ['explain 422 -- -I',                          /neither a schema file nor a URL/],
  [`explain ${schema} -- -Z`,                    /curl's -Z is not supported/],
  [`explain ${schema} --edition 2024-01`,        /--edition: in process, expected one of 2026-09, 2025-05/],
  ['explain curl -I',                            /requires the URL of a server/],
  ['explain http://me:secret@localhost:1/',      /credentials|cannot be reached/],
  ['explain http://localhost:1/',                /cannot be reached/],
  ['init --template rails',                      /--template: expected one of node, express, .* got "rails"/],
  ['init a b --yes',                             /init takes one folder, got a, b/],
  ['documents build',                            /documents build requires files, such as 'src/],
  ['documents build --json a.graphql',           /--json requires --out/],
]

for (const [line, message, code = 2] of refused) {
  void t.test(`graphwire ${line.replace(schema, 'schema.graphql')} is refused`, async (t) => {
    const said = await say(line.split(' '))
    t.match(said, { code, err: message })
    t.equal(said.out, '')
    if (code === 2) t.match(said.err, /^Run "graphwire [^"]+" for usage\.$/m)
  })
}
