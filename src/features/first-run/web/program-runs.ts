import type { DiagnosisEvent } from '#features/diagnosis/web/why-data.ts'

/** What became of the last run of a program with a key, from the history of the key. */
export interface ProgramRuns {
  /**
   * `restored`: the key has been unbanned, and no program has run since. `rejected`: a program has heard of the ban that
   * is in force.
   */
  phase: 'waiting' | 'running' | 'banned' | 'rejected' | 'restored'
  /** The newest accepted sign-in. */
  start: DiagnosisEvent | undefined
  /** A later sign-in that was rejected for another reason than a ban. */
  problem: DiagnosisEvent | undefined
}

type RunEvent = Pick<DiagnosisEvent, 'call' | 'code' | 'act' | 'timestamp'>

interface History<E extends RunEvent> {
  license: { banned: boolean } | null
  /** Newest first. */
  events: readonly E[]
}

const signIns: ReadonlySet<string> = new Set(['license', 'login', 'register'])
const banCode = 'LICENSE_BANNED'
const timeOf = (event: RunEvent | undefined): number => event?.timestamp ?? 0

export function programRuns({ license, events }: History<DiagnosisEvent>): ProgramRuns {
  const attempts = events.filter(({ call }) => signIns.has(call))
  const start = attempts.find(({ code }) => code === '')
  const [last] = attempts
  const problem = last && last.code !== '' && last.code !== banCode ? last : undefined
  const banRejection = timeOf(events.find(({ code }) => code === banCode))
  const ban = timeOf(events.find(({ act }) => act === 'license.ban'))
  const phaseOf = (): ProgramRuns['phase'] => {
    // Times are whole seconds: a run in the second of the ban has heard of it.
    if (license?.banned) return banRejection > 0 && banRejection >= ban ? 'rejected' : 'banned'
    if (!start) return 'waiting'
    return last?.code === banCode ? 'restored' : 'running'
  }
  return { phase: phaseOf(), start, problem }
}
