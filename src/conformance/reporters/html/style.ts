import { verdicts } from '../../suite/report.js'

/** Hides the verdicts that are not selected, and empty sections. `:has` of the body takes half a minute in a window made narrow. */
const filterRules = verdicts
  .map((verdict) => {
    const section = `.filter:has(#show-${verdict}:checked) ~ section`
    const other = `${section} [data-verdict]:not([data-verdict='${verdict}'])`
    const empty = `.group:not(:has([data-verdict='${verdict}']))`
    return `${other}, ${section}${empty}, ${section} ${empty} { display: none; }`
  })
  .join('\n')

const verdictRules = verdicts
  .map((verdict) => `.${verdict} { --tone: var(--${verdict}); --tint: var(--${verdict}-tint); }`)
  .join('\n')

/** The style of the page: system fonts, two colour schemes, one column on a phone. */
export const pageStyle: string = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f8f8f6, #15171a); --surface: light-dark(#fff, #1c1f23); --text: light-dark(#20242a, #e4e6e9);
  --quiet: light-dark(#5d6672, #9da5af); --line: light-dark(#e2e3e0, #30343a);
  --link: light-dark(#2f55b5, #93b4ff); --code: light-dark(#f1f1ee, #25292e);
  --pass: light-dark(#1c6b43, #79cd9c); --pass-tint: light-dark(#dcefe3, #1c3527);
  --fail: light-dark(#ab2a20, #ff9b90); --fail-tint: light-dark(#f9e0dc, #47211d);
  --warn: light-dark(#7d5200, #e7bd68); --warn-tint: light-dark(#f8ecc9, #3c2f13);
  --info: light-dark(#1f5d8c, #86c1ec); --info-tint: light-dark(#dcebf7, #1b3145);
  --skip: var(--quiet); --skip-tint: light-dark(#e9eaec, #2a2e34);
  --error: light-dark(#743a99, #d5a6f2); --error-tint: light-dark(#efe1f7, #382345);
  --tone: var(--quiet); --tint: var(--code);
}
${verdictRules}
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; max-width: 66rem; padding: 0 1.25rem 4rem;
  background: var(--page); color: var(--text);
  font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif;
}
code, pre { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace; }
code { font-size: 0.875em; overflow-wrap: anywhere; }
a { color: var(--link); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
p, figure, blockquote, dl, dd, ul, fieldset { margin: 0; padding: 0; border: 0; }
ul { list-style: none; }
summary { cursor: pointer; }

header { padding: 3.5rem 0 1.5rem; }
.kicker { color: var(--quiet); font-size: 0.875rem; }
h1 { margin: 0.25rem 0 0.75rem; font-size: clamp(1.4rem, 4.5vw, 2.1rem); line-height: 1.2;
  font-weight: 650; letter-spacing: -0.015em; overflow-wrap: anywhere; }
h2 { margin: 3.25rem 0 1rem; font-size: 1.3rem; line-height: 1.3; letter-spacing: -0.01em; }
h3 { margin: 0; font-size: 1.05rem; line-height: 1.4; }
.conclusion { color: var(--tone); font-size: 1.1rem; font-weight: 550; }
.bar { display: flex; gap: 2px; height: 0.6rem; margin: 1.5rem 0; border-radius: 0.3rem; overflow: hidden; }
.bar span { background: var(--tone); flex-basis: 4px; }
.bar .skip { opacity: 0.45; }
.facts { display: flex; flex-wrap: wrap; gap: 0.9rem 2.5rem; }
dt { color: var(--quiet); font-size: 0.8125rem; }
dd { overflow-wrap: anywhere; }

.filter { position: sticky; top: 0; z-index: 1; padding: 0.6rem 0; background: var(--page);
  border-bottom: 1px solid var(--line); }
.filter fieldset { display: flex; flex-wrap: wrap; gap: 0.4rem; min-width: 0; }
.filter legend { position: absolute; clip-path: inset(50%); }
.filter label { position: relative; display: inline-flex; gap: 0.4rem; padding: 0.2rem 0.75rem; cursor: pointer;
  border: 1px solid var(--line); border-radius: 2rem; background: var(--surface); font-size: 0.9rem; }
.filter input { position: absolute; opacity: 0; pointer-events: none; }
.filter .count { color: var(--tone); font-weight: 600; font-variant-numeric: tabular-nums; }
.filter label:has(:checked) { background: var(--tint); border-color: var(--tone); color: var(--tone); }
.filter label:has(:focus-visible) { outline: 2px solid var(--link); outline-offset: 2px; }

.mark { display: inline-block; padding: 0.1em 0.55em; border-radius: 0.35rem; background: var(--tint);
  color: var(--tone); font-size: 0.8125rem; font-weight: 600; line-height: 1.5; }
.finding { margin: 0 0 1.25rem; padding: 1.25rem 1.4rem 1.4rem; background: var(--surface);
  border: 1px solid var(--line); border-radius: 0.75rem; }
.finding h3 .mark { margin-right: 0.35rem; vertical-align: 0.08em; }
.finding:target, .another:target, li:target { border-color: var(--link); box-shadow: 0 0 0 1px var(--link); }
.same { margin: 0.4rem 0 0 0.2rem; font-size: 0.9375rem; }
.another { margin-top: 1.1rem; padding-top: 0.9rem; border-top: 1px solid var(--line); }
.another h4 { margin: 0; font-size: 1rem; }
.another summary { margin-top: 0.5rem; font-size: 0.9375rem; }
.finding .wire + .where { margin-top: 0.9rem; }
.where { margin-top: 0.15rem; color: var(--quiet); font-size: 0.875rem; }
.message { margin-top: 0.9rem; font-weight: 550; overflow-wrap: anywhere; white-space: pre-line; }
.known { margin-top: 0.5rem; color: var(--info); overflow-wrap: anywhere; }
.cite { margin-top: 0.9rem; padding: 0.1rem 0 0.1rem 1rem; border-left: 3px solid var(--line); }
.cite figcaption { margin-top: 0.3rem; color: var(--quiet); font-size: 0.875rem; overflow-wrap: anywhere; }
.wire { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(24rem, 100%), 1fr));
  gap: 1rem; margin-top: 1.1rem; }
.wire figure { display: flex; flex-direction: column; min-width: 0; }
pre { flex: 1; max-height: 26rem; overflow: auto; margin: 0; padding: 0.8rem 0.9rem; border-radius: 0.5rem; background: var(--code);
  font-size: 0.8125rem; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2; }

.timeline { margin-top: 1.1rem; font-size: 0.8125rem; }
:is(.wire, .timeline) figcaption { margin-bottom: 0.3rem; color: var(--quiet); font-size: 0.8125rem; }
.timeline ol { max-height: 26rem; overflow: auto; margin: 0; padding: 0.5rem 0.9rem; list-style: none;
  border-radius: 0.5rem; background: var(--code); }
.timeline li { display: grid; grid-template-columns: 3.5rem 6rem 1fr; gap: 0.75rem; align-items: baseline; padding: 0.1rem 0; }
.timeline ol li + li { border: 0; }
.timeline .at { color: var(--quiet); text-align: right; font-variant-numeric: tabular-nums; }
.timeline .track { position: relative; height: 0.5rem; border-bottom: 1px solid var(--line); }
.timeline i { position: absolute; bottom: -0.25rem; width: 0.5rem; height: 0.5rem; margin-left: -0.25rem; border-radius: 50%;
  background: var(--link); }
.timeline .runner i { background: var(--surface); border: 1px solid var(--quiet); }
.timeline .runner code { color: var(--quiet); }

table { width: 100%; border-collapse: collapse; background: var(--surface); border: 1px solid var(--line);
  border-radius: 0.75rem; border-spacing: 0; font-size: 0.9rem; }
thead th { border: 0; color: var(--quiet); font-size: 0.8125rem; font-weight: 500; }
th, td { padding: 0.6rem 0.9rem; text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
.statement { display: block; white-space: nowrap; }
.level, .section { display: block; color: var(--quiet); font-size: 0.8125rem; font-weight: 400; }
.says { width: 100%; overflow-wrap: anywhere; }
.squares { display: flex; flex-wrap: wrap; gap: 3px; width: 14rem; margin-top: 0.4rem; }
.cell { width: 1.45rem; height: 1.45rem; border-radius: 0.3rem; background: var(--tint);
  color: var(--tone); font-size: 0.8rem; font-weight: 700; line-height: 1.45rem; text-align: center;
  text-decoration: none; }
.cell:hover { box-shadow: 0 0 0 2px var(--tone); }

.wide { overflow-x: auto; border-radius: 0.75rem; }
.wide th, .wide td { min-width: 11rem; overflow-wrap: anywhere; }
.wide tbody th { font-weight: 500; }
.wide code { display: block; }
.wide .bar { height: 0.4rem; margin: 0.45rem 0; }
.wide + h3 { margin: 2rem 0 0.3rem; }
.where + .wide { margin-top: 0.8rem; }
.equal table { table-layout: fixed; }
.equal th:first-child { width: 7rem; min-width: 0; }
.marks { flex: none; }

.counts { overflow-x: auto; border-radius: 0.75rem; }
.counts :is(th, td) { padding: 0.35rem 0.9rem; }
.counts :is(td, thead th + th) { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.counts tbody th { font-weight: 400; }
.counts tbody:first-of-type tr:last-child > * { font-weight: 650; border-bottom: 1px solid var(--line); }
.counts td { color: var(--tone); }
.counts .none { color: var(--quiet); }
.legend { display: flex; flex-wrap: wrap; gap: 0.4rem 1.5rem; margin-top: 0.9rem; font-size: 0.875rem; }
.legend div { display: flex; gap: 0.5rem; align-items: baseline; }
.contents { display: flex; flex-wrap: wrap; gap: 0.4rem 1.5rem; }
#suites { margin-bottom: 1.5rem; }
#suites h2 { margin-top: 1.75rem; }
.repair { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 0.5rem 1.2rem; margin-top: 1.1rem; align-items: baseline; }
.repair pre { padding: 0.4rem 0.7rem; }

.suite { margin-bottom: 1.75rem; }
.suite h3 { margin-bottom: 0.5rem; }
.totals { margin-left: 0.4rem; color: var(--quiet); font-size: 0.875rem; font-weight: 400; }
.suite ul { background: var(--surface); border: 1px solid var(--line); border-radius: 0.75rem; }
.suite li + li { border-top: 1px solid var(--line); }
.line { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem;
  padding: 0.55rem 0.9rem; color: inherit; text-decoration: none; cursor: pointer; list-style: none; }
.line::-webkit-details-marker { display: none; }
.line:hover .title { text-decoration: underline; text-decoration-thickness: 1px; }
.line code { display: block; color: var(--quiet); }
.more { padding: 0 0.9rem 1rem; font-size: 0.9375rem; }
.more > :first-child { margin-top: 0.1rem; }
footer { margin-top: 3.5rem; padding-top: 1rem; border-top: 1px solid var(--line); color: var(--quiet);
  font-size: 0.8125rem; }
${filterRules}
@media (max-width: 40rem) {
  body { padding: 0 0.9rem 3rem; }
  header { padding-top: 1.75rem; }
  .filter fieldset { flex-wrap: nowrap; overflow-x: auto; padding: 2px; }
  .filter label { flex: none; }
  .finding { padding: 1rem; }
  #statements table, #statements tbody { display: block; }
  #statements thead { display: none; }
  #statements tr { display: grid; grid-template-columns: 1fr auto; border-top: 1px solid var(--line); }
  #statements tr:first-child { border-top: 0; }
  #statements :is(th, td) { border: 0; padding: 0.5rem 0.9rem; }
  .wide :is(th, td) { min-width: 7rem; padding: 0.5rem; }
  .equal :is(th, td) { min-width: 0; }
  .equal th:first-child { width: 4.5rem; }
  .counts :is(th, td) { padding: 0.3rem 0.15rem; font-size: 0.78rem; }
  .line { flex-wrap: wrap; gap: 0.2rem 1rem; }
  .line .name { flex: 1 1 14rem; }
  .counts .mark { padding: 0 0.2em; font-size: 0.72rem; }
  .repair { grid-template-columns: minmax(0, 1fr); gap: 0.2rem; }
  .repair dd + dt { margin-top: 0.5rem; }
  .wide th:first-child { min-width: 5rem; }
  .says { grid-area: 2 / 1 / auto / -1; padding-top: 0; }
  .cells { display: flex; gap: 0.6rem; justify-content: flex-end; }
  .cells .mark { display: none; }
  .squares { width: auto; margin: 0; justify-content: flex-end; }
}
@media print { .filter { display: none; } .finding, tr, li { break-inside: avoid; } }
`
