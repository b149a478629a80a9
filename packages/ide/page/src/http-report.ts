import type { RunningReport } from './reports.js'

/** The head of a response has arrived. */
export function showHead(report: RunningReport, { status, statusText, headers }: Response): void {
  const reason = reasons[status] ?? statusText
  const title = `${status} ${reason}`.trim()
  report.show({
    title,
    tone: status < 300 ? 'good' : 'bad',
    mediaType: headers.get('content-type')?.replace(/; *charset=utf-8/i, '') ?? 'no media type',
    headers: [...headers],
  })
  report.event('head', title)
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
