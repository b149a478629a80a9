import type { Sentence } from './explain.js'
import { RunningReport, type Reports } from './reports.js'

/** The report of one response, from its request to its end. */
export class HttpReport {
  readonly #report: RunningReport

  constructor(reports: Reports, startedAt?: number) {
    const title = 'Waiting for the response'
    const begin = { title, mediaType: undefined, results: undefined }
    this.#report = new RunningReport(reports, begin, startedAt)
  }

  /** The head has arrived. */
  begin({ status, statusText, headers }: Response): void {
    const reason = reasons[status] ?? statusText
    this.#report.show({
      title: `${status} ${reason}`.trim(),
      tone: status === 294 ? 'partial' : status < 300 ? 'good' : 'bad',
      mediaType: headers.get('content-type')?.replace(/; *charset=utf-8/i, '') ?? 'no media type',
    })
  }

  add(bytes: number): void {
    this.#report.show({ bytes: this.#report.known.bytes + bytes })
  }

  explain(sentence: Sentence | undefined): void {
    this.#report.show({ sentence, results: 0, note: 'open' })
  }

  /** A stream has brought another result. */
  result(): void {
    this.#report.show({ results: (this.#report.known.results ?? 0) + 1 })
  }

  end(sentence = this.#report.known.sentence, note?: string): void {
    const isStream = this.#report.known.results !== undefined
    this.#report.show({ sentence, note: note ?? (isStream ? 'complete' : undefined) })
  }

  stopped(): void {
    this.#report.show({ note: 'stopped' })
  }

  /** What went wrong is shown as the result: a page is told no more than that. */
  failed(): void {
    const { tone, title } = this.#report.known
    this.#report.show(
      tone === 'running'
        ? { title: 'No response', tone: 'bad', note: 'the request failed' }
        : { title, tone: 'bad', note: 'broken off' },
    )
  }
}

/** As RFC 9110 has them: HTTP/2 sends none, and servers send older ones. */
const reasons: { readonly [status: number]: string } = {
  200: 'OK',
  294: 'Partial Success',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  406: 'Not Acceptable',
  408: 'Request Timeout',
  413: 'Content Too Large',
  414: 'URI Too Long',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}
