export {
  formatDiff,
  diffReports,
  type CaseChange,
  type ReportDiff,
} from './reporters/digest/diff.js'
export { formatDiffHtml } from './reporters/html/format-diff.js'
export { editionNames, type EditionName } from './suite/editions.js'
export type { FieldLine } from './wire/exchange.js'
export { formatKnownFailures, readKnownFailures, type KnownFailures } from './run/known-failures.js'
export { listCases, type ListedCase, type ListOptions } from './judge/list-cases.js'
export { checkReachable, UnreachableError } from './wire/connection.js'
export { readTargetFile, type TargetFile } from './run/read-target-file.js'
export {
  readReport,
  type Broken,
  type CaseReport,
  type Evidence,
  type Layer,
  type Report,
  type SpecReference,
  type Totals,
  type Verdict,
} from './suite/report.js'
export { reporters, type Reporter, type ReporterName } from './reporters/reporters.js'
export { formatTotals } from './reporters/digest/digest.js'
export { runConformance, type ConformanceOptions } from './run/run.js'
export { toTarget } from './wire/target.js'
