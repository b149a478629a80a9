import { useGraphiQL, useGraphiQLActions } from '@graphiql/react'
import { useRef } from 'react'
import type { Sample } from './sample-operation.js'
import { welcomeQuery } from './settings.js'

/** What the page does with the editors of a tab. */
export interface Editors {
  readonly query: () => string
  readonly variables: () => string
  /** Fills a tab in: the present one if nothing was written there, or else a new one. */
  open(sample: Sample): void
  /** Changes an editor's object of JSON, and shows the editor. If it holds something else, it is only shown. */
  change(name: 'variables' | 'headers', change: (values: JsonObject) => JsonObject): void
}

interface JsonObject {
  readonly [name: string]: unknown
}

/** Undefined until all of them are there. */
export function useEditors(): Editors | undefined {
  const { addTab } = useGraphiQLActions()
  const queries = useGraphiQL(({ queryEditor }) => queryEditor)
  const variables = useGraphiQL(({ variableEditor }) => variableEditor)
  const headers = useGraphiQL(({ headerEditor }) => headerEditor)
  const filledIn = useRef(welcomeQuery)
  if (queries === undefined || variables === undefined || headers === undefined) return undefined
  const editors = { variables, headers }
  return {
    query: () => queries.getValue(),
    variables: () => variables.getValue(),
    open(sample) {
      const text = queries.getValue()
      if (text.trim() !== '' && text !== filledIn.current) addTab()
      filledIn.current = sample.query
      queries.setValue(sample.query)
      variables.setValue(sample.variables ?? '')
      if (sample.headers !== undefined) headers.setValue(sample.headers)
      if (sample.variables !== undefined) showEditor('variables')
    },
    change(name, change) {
      showEditor(name)
      const editor = editors[name]
      try {
        const values = JSON.parse(editor.getValue() || '{}') as JsonObject
        editor.setValue(JSON.stringify(change(values), undefined, 2))
      } catch {
        // The editor marks the mistake.
      }
      editor.focus()
    },
  }
}

function showEditor(name: string): void {
  document.querySelector<HTMLElement>(`[data-name=${name}]`)?.click()
}
