import { setImmediate as nextTurn } from 'node:timers/promises'
import { failure, success } from '../../../../src/base/outcome.js'
import { Crew } from '../../../../src/cli/serve/workers/crew.js'
import type { CrewMember, StartOutcome } from '../../../../src/cli/serve/workers/fork-worker.js'
import { nothingToReport } from '../../../../src/cli/serve/start/stop-report.js'
import type { CloseReport } from '../../../../src/hosts/node/index.js'
import { defer } from '../../../base/defer.js'

export const ready = success({ path: '/x', isSecure: false, facts: [] })
export const times = { grace: 1, spread: 0, deadline: 2 }
export const broken = failure({ kind: 'configuration', message: 'broken' } as const)

/** A worker that does what the test says. */
export interface Puppet extends CrewMember {
  readonly start: (outcome: StartOutcome) => void
  readonly end: (how: string) => void
  /** Tells it to end without the crew. */
  readonly leave: () => void
  /** What it will say when it has drained. */
  report: CloseReport | undefined
  readonly told: string[]
  /** Whether it drains until the test ends it. */
  isSlow: boolean
  measure: CrewMember['measure']
  metrics: CrewMember['metrics']
}

function createPuppet(): Puppet {
  const told: string[] = []
  const { promise: started, resolve: start } = defer<StartOutcome>()
  const { promise: ended, resolve: end } = defer<string>()
  const { promise: leaving, resolve: leave } = defer<undefined>()
  return {
    started,
    leaving,
    ended,
    start,
    end,
    leave: () => leave(undefined),
    report: nothingToReport,
    told,
    isSlow: false,
    send() {},
    measure: async () => {},
    metrics: {},
    unready: () => void told.push('unready'),
    async drain() {
      told.push('drain')
      if (this.isSlow) await ended
      start(broken)
      end('drained')
      return this.report
    },
    kill() {
      told.push('kill')
      end('by SIGKILL')
    },
  }
}

/** A crew of puppets, all that were forked and all that was reported. */
export function createStage(size: number, watches = false, patience = 60_000) {
  const puppets: Puppet[] = []
  const reports: string[] = []
  const waiting: (() => void)[] = []
  const rotation = new Set<object>()
  const crew = new Crew({
    size,
    watches,
    rotation: {
      add: (member) => void rotation.add(member),
      remove: (member) => void rotation.delete(member),
      ended: (member) => void rotation.delete(member),
    },
    times,
    patience,
    fork: () => {
      const puppet = createPuppet()
      puppets.push(puppet)
      waiting.shift()?.()
      return puppet
    },
    report: (text) => reports.push(text),
    now: () => 0,
  })
  /** The nth worker from 0, once it has been forked. */
  const puppet = async (index: number): Promise<Puppet> => {
    while (puppets.length <= index) await new Promise<void>((forked) => waiting.push(forked))
    return puppets[index] ?? createPuppet()
  }
  return { crew, puppets, puppet, reports, rotation }
}

export type Stage = ReturnType<typeof createStage>

/** Long enough for promises and for a pause of 0 ms. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn()
}
