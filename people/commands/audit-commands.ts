import { wholeNumber, type Flag } from '../command-line/flag.js'
import { exitCodes } from '../exit-codes.js'
import type { AuditEntry } from '../store/request-records.js'
import { formatTable } from './format-table.js'
import { defineCommand, type Group } from './run-command.js'

/** A flag with a point in time. */
function timeFlag(flag: string, doc: string): Flag<Date | undefined> {
  return {
    flag,
    placeholder: 'time',
    doc,
    fallback: undefined,
    defaultText: 'none',
    expected: 'a date or time in UTC such as 2026-08-01 or 2026-08-01T12:00:00Z',
    read(text) {
      const isTime = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?Z)?$/.test(text)
      const time = new Date(isTime ? text : Number.NaN)
      return Number.isNaN(time.getTime()) ? undefined : time
    },
  }
}

const listAudit = defineCommand({
  summary: 'Lists the latest writes to people: when, what, to whom, by whom and in which request.',
  flags: {
    personId: {
      flag: 'person',
      placeholder: 'id',
      doc: 'Only writes to this person.',
      fallback: undefined,
      defaultText: 'all',
      expected: 'the id of a person',
      read: (text: string) => (/^\d{1,15}$/.test(text) ? text : undefined),
    },
    principal: {
      flag: 'principal',
      placeholder: 'name',
      doc: 'Only writes of this principal, such as key:ci or login:ann@example.org.',
      fallback: undefined,
      defaultText: 'all',
      expected: 'key: and the name of a key, login: and a login, or anonymous',
      read: (text: string) =>
        /^(?:(?:key|login):.{1,128}|anonymous)$/.test(text) ? text : undefined,
    },
    since: timeFlag('since', 'Only writes at this time or later.'),
    until: timeFlag('until', 'Only writes before this time.'),
    limit: {
      flag: 'limit',
      doc: 'Maximum number of writes.',
      fallback: 100,
      ...wholeNumber(1, 100_000),
    },
    json: {
      flag: 'json',
      placeholder: undefined,
      doc: 'Print a line of JSON for each.',
      defaultText: 'off',
      fallback: false,
      expected: 'true or false',
      read: () => true,
    },
  },
  prepare({ json, ...filter }) {
    return async (store, io) => {
      const entries = await store.audit.list(filter)
      const lines = json ? entries.map((entry) => JSON.stringify(entry)) : toTable(entries)
      for (const line of lines) io.out(line)
      return exitCodes.ok.code
    }
  },
})

function toTable(entries: readonly AuditEntry[]): readonly string[] {
  const rows = entries.map((entry) => [
    entry.at,
    entry.operation,
    entry.personId,
    String(entry.versionBefore ?? '-'),
    String(entry.versionAfter ?? '-'),
    entry.principal,
    entry.requestId,
  ])
  return formatTable([['AT', 'OPERATION', 'PERSON', 'BEFORE', 'AFTER', 'BY', 'REQUEST'], ...rows])
}

/** `audit list`. */
export const auditCommands: Group = {
  name: 'audit',
  summary: 'Shows who has written what.',
  commands: { list: listAudit },
}
