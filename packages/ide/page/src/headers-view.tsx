import type { ReactElement } from 'react'
import type { Report } from './reports.js'
import type { Field } from './request.js'

/** The headers of the response, and those that the page sent. */
export function HeadersView({
  report: { headers, request },
}: {
  readonly report: Report
}): ReactElement {
  return (
    <>
      <Fields title="Response" fields={headers} />
      <Fields title="Request" fields={request?.headers ?? []} />
      <p>The browser adds others to the request, such as Host and User-Agent.</p>
    </>
  )
}

interface FieldsProps {
  readonly title: string
  readonly fields: readonly Field[]
}

function Fields({ title, fields }: FieldsProps): ReactElement {
  return (
    <table>
      <caption>{title}</caption>
      <tbody>
        {fields.length === 0 && (
          <tr>
            <td>None to show: a WebSocket hides them from pages.</td>
          </tr>
        )}
        {fields.map(([name, value]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
