import { useGraphiQL } from '@graphiql/react'
import { useEffect, useMemo, type ReactElement } from 'react'
import { CopyButton } from './copy-button.js'
import { useEditors } from './editors.js'
import { FilePicker } from './file-picker.js'
import { uploadTypes } from './files.js'
import { toLink } from './link.js'
import { listSamples } from './sample-operation.js'
import { welcome, welcomeQuery, type PageSettings } from './settings.js'

interface BarProps {
  readonly settings: PageSettings
  readonly files: readonly File[]
  readonly onFiles: (files: readonly File[]) => void
}

const kinds: { readonly [title: string]: string } = {
  Query: 'a query, which reads data',
  Mutation: 'a mutation, which changes data',
  Subscription: 'a subscription, which receives events as they happen',
  '@defer': 'a query with @defer, which receives a part of its data later',
}

/** What the API is, and what to begin with. */
export function Bar({ settings, files, onFiles }: BarProps): ReactElement {
  const { examples, credential } = settings
  const editors = useEditors()
  const schema = useGraphiQL((state) => state.schema)
  const samples = useMemo(() => (schema == null ? [] : listSamples(schema)), [schema])
  const takesFiles = schema != null && uploadTypes.some((name) => schema.getType(name) != null)
  const [first] = samples
  useEffect(() => {
    if (first === undefined || editors?.query() !== welcomeQuery) return
    editors.open({ ...first, query: `${welcome}${first.query}` })
  }, [first, editors])
  return (
    <header className="bar">
      <h1>{document.title}</h1>
      <code>{`${location.origin}${location.pathname}`}</code>
      <div className="starts">
        <div className="buttons" role="group" aria-labelledby="insert">
          <span id="insert">Insert</span>
          {[...samples, ...examples].map((sample, at) => (
            <button
              key={at}
              type="button"
              title={`Insert ${kinds[sample.title] ?? `“${sample.title}”`}. Nothing is sent until you run it.`}
              onClick={() => editors?.open(sample)}
            >
              {sample.title}
            </button>
          ))}
        </div>
        <div className="buttons">
          <button
            type="button"
            title={`Add the header ${credential.name}, for your credential.`}
            onClick={() =>
              editors?.change('headers', (values) => ({
                [credential.name]: credential.prefix,
                ...values,
              }))
            }
          >
            {credential.name}
          </button>
          {takesFiles && <FilePicker files={files} onChange={onFiles} editors={editors} />}
          <CopyButton
            title="Copy a link that opens this operation, with its variables but no headers."
            text={() => toLink(editors?.query() ?? '', editors?.variables() ?? '')}
          >
            Share
          </CopyButton>
        </div>
      </div>
    </header>
  )
}
