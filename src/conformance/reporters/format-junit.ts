import type { Broken, CaseReport, Report } from '../suite/report.js'
import {
  formatLevel,
  formatTotals,
  layersOf,
  type ReportDigest,
  type SuiteReport,
} from './digest/digest.js'
import { toPlainSentence, escapeXml } from './words/printable.js'

/** The report as JUnit XML. JUnit has no warn or info: they pass and say so in their output. */
export function formatJunit(digest: ReportDigest): string {
  const { totals, cases, target, title, durationMs } = digest
  const attributes = {
    name: `graphwire conform ${target}, edition ${title}`,
    ...counts(totals, cases.length),
    time: toSeconds(durationMs),
  }
  const suites = digest.suites.map((suite) => testSuite(suite, digest))
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    ...element('testsuites', attributes, suites.flat()),
    '',
  ].join('\n')
}

type Attributes = { readonly [name: string]: string | number }
type XmlLines = readonly string[]

function testSuite({ name, totals, cases }: SuiteReport, report: Report): XmlLines {
  const attributes = {
    name,
    ...counts(totals, cases.length),
    time: toSeconds(cases.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0)),
    timestamp: report.startedAt.replace(/\.\d+Z$/, ''),
  }
  const { target, edition, diagnosis } = report
  const layers = layersOf(edition, cases)
  const facts = [
    ...Object.entries({ target, edition, ...(diagnosis !== undefined && { diagnosis }) }),
    ...layers.map(([layer, count]) => [`cases of ${layer}`, formatTotals(count)] as const),
  ]
  const properties = facts.flatMap(([fact, value]) => element('property', { name: fact, value }))
  return element('testsuite', attributes, [
    ...element('properties', {}, properties),
    ...cases.flatMap(testCase),
  ])
}

function toSeconds(ms: number): string {
  return (ms / 1000).toFixed(3)
}

function counts({ fail, error, skip }: Report['totals'], tests: number): Attributes {
  return { tests, failures: fail, errors: error, skipped: skip }
}

function testCase(one: CaseReport): XmlLines {
  const { id, title, suite, durationMs = 0 } = one
  const time = toSeconds(durationMs)
  const attributes = { name: `${id}: ${title}`, classname: `conformance.${suite}`, time }
  return element('testcase', attributes, outcome(one))
}

function outcome(one: CaseReport): XmlLines {
  const { verdict, level, message, spec } = one
  if (verdict === 'pass') return []
  if (verdict === 'skip') return element('skipped', { message })
  const text = escapeXml(describe(one))
  if (verdict === 'warn' || verdict === 'info') return [`<system-out>${text}</system-out>`]
  const name = verdict === 'fail' ? 'failure' : 'error'
  return [`<${name}${format({ message, type: spec?.level ?? level })}>${text}</${name}>`]
}

function describe(one: CaseReport): string {
  const { known, evidence, also = [] } = one
  const parts = [
    ...describeBroken(one),
    known !== undefined && `Known failure: ${known}`,
    ...also.flatMap(describeBroken),
    evidence && `Sent:\n${evidence.sent}\n\nReceived:\n${evidence.received}`,
  ]
  return parts.filter(Boolean).join('\n\n')
}

function describeBroken({ verdict, message, spec }: Broken): readonly (string | undefined)[] {
  const sentence =
    spec &&
    `${spec.statement} (${formatLevel(spec)}), ${spec.section}: ${toPlainSentence(spec.quote)}`
  return [`${verdict}: ${message}`, sentence ?? undefined, spec?.source]
}

function element(name: string, attributes: Attributes, children: XmlLines = []): XmlLines {
  const start = `<${name}${format(attributes)}`
  if (children.length === 0) return [`${start}/>`]
  return [`${start}>`, ...children.map((line) => `  ${line}`), `</${name}>`]
}

function format(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('')
}
