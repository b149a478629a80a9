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
        <div className="buttons" role="group" aria-label="New operation">
          {[...samples, ...examples].map((sample, at) => (
            <button key={at} type="button" onClick={() => editors?.open(sample)}>
              {sample.title}
            </button>
          ))}
        </div>
        <div className="buttons">
          <button
            type="button"
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
          <CopyButton text={() => toLink(editors?.query() ?? '', editors?.variables() ?? '')}>
            Share
          </CopyButton>
        </div>
      </div>
    </header>
  )
}
