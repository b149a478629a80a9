import type { ReactElement } from 'react'
import type { Editors } from './editors.js'
import { nameFiles } from './files.js'

interface FilePickerProps {
  readonly files: readonly File[]
  readonly onChange: (files: readonly File[]) => void
  readonly editors: Editors | undefined
}

/** Chooses files, and fills in the variables that stand for them. */
export function FilePicker({ files, onChange, editors }: FilePickerProps): ReactElement {
  return (
    <>
      <label className="files" title="Choose files to upload: variables stand for them.">
        Files
        <input
          type="file"
          multiple
          onChange={({ target }) => {
            const chosen = [...(target.files ?? [])]
            onChange(chosen)
            editors?.change('variables', (values) => nameFiles(values, editors.query(), chosen))
          }}
        />
      </label>
      {files.length > 0 && (
        <span title='In the variables, "@name" stands for the file of that name.'>
          {files.map(({ name }) => `@${name}`).join(', ')}
        </span>
      )}
    </>
  )
}
