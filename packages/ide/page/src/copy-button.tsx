import { useState, type ReactElement, type ReactNode } from 'react'

interface CopyButtonProps {
  /** What is copied; a function if it is made by the click. */
  readonly text: string | (() => string)
  readonly children: ReactNode
  readonly title?: string
}

/** Copies a text, and says whether it could: browsers allow it on https and localhost only. */
export function CopyButton({ text, children, title }: CopyButtonProps): ReactElement {
  const [note, setNote] = useState('')
  const [uncopied, setUncopied] = useState<string>()
  const copy = async (): Promise<void> => {
    const copied = typeof text === 'string' ? text : text()
    try {
      await navigator.clipboard.writeText(copied)
      setNote('Copied')
    } catch {
      setNote('')
      setUncopied(copied)
    }
  }
  return (
    <>
      <button type="button" title={title} onClick={() => void copy()} onBlur={() => setNote('')}>
        {children}
      </button>
      <span role="status">{note}</span>
      {uncopied !== undefined && (
        <label className="uncopied">
          Press Ctrl+C to copy:
          <textarea readOnly value={uncopied} ref={select} onBlur={() => setUncopied(undefined)} />
        </label>
      )}
    </>
  )
}

function select(area: HTMLTextAreaElement | null): void {
  area?.focus()
  area?.select()
}
