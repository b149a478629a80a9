import type { ReactElement } from 'react'
import { CopyButton } from './copy-button.js'
import type { Report } from './reports.js'
import { toCurl } from './request.js'

/** The same request as a command. */
export function CurlView({ report: { request } }: { readonly report: Report }): ReactElement {
  if (request === undefined) {
    return <p>No HTTP request to repeat. For subscriptions there is one if they are sent by SSE.</p>
  }
  const command = toCurl(request)
  return (
    <>
      <p className="buttons">
        <CopyButton text={command}>Copy</CopyButton>
        <span>Holds the headers that were sent, with any credentials.</span>
      </p>
      <pre>{command}</pre>
    </>
  )
}
