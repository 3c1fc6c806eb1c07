import type { Static } from 'typebox'
import { measuredStates, type StatusPart, statusParts } from '#contract/status-parts.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { frameAddress } from '#server/status/frame-address.ts'
import { type PlatformStatus, statusBoard } from './status-board.ts'
import type { statusContract } from './status.contract.ts'
import { listStatusDays } from './status.reads.ts'
import { daySeconds, historyDays, overallState } from './status.rules.ts'

type Status = Omit<Static<(typeof statusContract)['readStatus']['reply']>, 'success'>

export const partReplies = ({ parts }: PlatformStatus) =>
  parts.map(({ part, state, figures }) => ({ part, state, ...figures }))

export async function statusReply(services: Services): Promise<Status> {
  const status = await statusBoard(services).current()
  const days = await daysByPart(services).catch(() => undefined)
  const parts = partReplies(status).map((each) => ({ ...each, ...(days && { days: days.get(each.part) }) }))
  return { at: status.at, frame: frameAddress(services)?.href ?? null, state: overallState(status.parts), parts }
}

/** For a caller whom nobody can recognize, because the database is away: no more than `/readyz` says to everybody. */
export function statusWithoutDatabase(services: Services): Status {
  const parts = statusParts.map((part) => ({
    part,
    state: part === 'database' ? ('down' as const) : ('unknown' as const),
  }))
  return { at: epochSeconds(services), frame: null, state: overallState(parts), parts }
}

async function daysByPart(services: Services) {
  const firstDay = Math.floor(epochSeconds(services) / daySeconds) - historyDays + 1
  const rows = await listStatusDays(services.db.read, firstDay)
  const countsOf = (part: StatusPart) => {
    const counts = { ok: [], degraded: [], down: [] } as Record<(typeof measuredStates)[number], number[]>
    for (const state of measuredStates) counts[state] = Array<number>(historyDays).fill(0)
    for (const row of rows) {
      const at = Number(row.day) - firstDay
      if (row.part === part && at < historyDays) for (const state of measuredStates) counts[state][at] = row[state]
    }
    return counts
  }
  return new Map(statusParts.map((part) => [part, countsOf(part)]))
}
