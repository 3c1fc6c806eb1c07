import type { Static } from 'typebox'
import { measuredStates, type StatusPart, statusParts } from '#contract/status-parts.ts'
import type { Reader } from '#database/database.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { frameAddress } from '#server/status/frame-address.ts'
import { type PlatformStatus, statusBoard } from './status-board.ts'
import type { statusContract } from './status.contract.ts'
import { findFirstMinute, listStatusDays } from './status.reads.ts'
import { daySeconds, historyDays, minuteRetentionDays, overallState } from './status.rules.ts'

type Status = Omit<Static<(typeof statusContract)['readStatus']['reply']>, 'success' | 'code'>

export const partReplies = ({ parts }: PlatformStatus) =>
  parts.map(({ part, state, metrics }) => ({ part, state, ...metrics }))

/** Parts without the details for administrators. */
const publicPartReplies = (status: PlatformStatus) =>
  partReplies(status).map((part) => ({ ...part, problem: undefined }))

export async function statusReply(services: Services): Promise<Status> {
  const status = await statusBoard(services).current()
  const days = await daysByPart(services).catch(() => undefined)
  const parts = publicPartReplies(status).map((each) => ({ ...each, ...(days && { days: days.get(each.part) }) }))
  return { at: status.at, frame: frameAddress(services)?.href ?? null, state: overallState(status.parts), parts }
}

/** For callers who cannot be authenticated because the database is down: no more than the public `/readyz`. */
export function statusWithoutDatabase(services: Services): Status {
  const parts = statusParts.map((part) => ({
    part,
    state: part === 'database' ? ('down' as const) : ('unknown' as const),
  }))
  return { at: epochSeconds(services), frame: null, state: overallState(parts), parts }
}

async function daysByPart(services: Services) {
  const { read, reports } = services.db
  const firstDay = Math.floor(epochSeconds(services) / daySeconds) - historyDays + 1
  const rowsByPart = Map.groupBy(await listStatusDays(read, firstDay), ({ part }) => part)
  const daysOf = async (part: StatusPart) => {
    const counts = { ok: [], degraded: [], down: [] } as Record<(typeof measuredStates)[number], number[]>
    for (const state of measuredStates) counts[state] = Array<number>(historyDays).fill(0)
    const rows = rowsByPart.get(part) ?? []
    for (const row of rows) {
      const at = Number(row.day) - firstDay
      if (at < historyDays) for (const state of measuredStates) counts[state][at] = row[state]
    }
    const since = await measuredSince(reports, part, { days: rows.map(({ day }) => Number(day)), firstDay })
    return [part, { ...counts, ...(since !== undefined && { since }) }] as const
  }
  return new Map(await Promise.all(statusParts.map(daysOf)))
}

/** When a part was first measured: to the minute if still stored, otherwise to the day. Epoch seconds. */
async function measuredSince(
  reports: Reader,
  part: StatusPart,
  { days, firstDay }: { days: readonly number[]; firstDay: number },
): Promise<number | undefined> {
  const day = Math.min(...days)
  if (days.length === 0 || day <= firstDay) return undefined
  const hasMinutes = day > firstDay + historyDays - 1 - minuteRetentionDays
  const minute = hasMinutes ? await findFirstMinute(reports, part, day) : undefined
  return minute === undefined ? day * daySeconds : minute * 60
}
