import type { Reader } from '#database/database.ts'
import { type EventFeed, maxEventBytes, type StreamEvent } from '#server/http/event-stream.ts'
import { isChosen } from './log-choice.ts'
import { listNewestLogs, type Log, type LogChoice } from './logs.reads.ts'
import { logReply } from './logs.reply.ts'

/** With more new rows than this, the client reloads the list instead. */
const maxRows = 200
/** Rows are stored some seconds after their events, by several processes and in any order. */
const lateSeconds = 120

/** Where a row is in the log. */
interface Place {
  at: number
  id: number
}

const placeOf = ({ at, id }: Log): Place => ({ at: Number(at), id: Number(id) })

const isBefore = (one: Place, other: Place | undefined): boolean =>
  other !== undefined && (one.at < other.at || (one.at === other.at && one.id < other.id))

interface LiveLogs {
  db: Reader
  choice: LogChoice
  /** Epoch seconds. */
  now: () => number
  /** Last event ID that the client received before it reconnected. */
  lastEventId: string | undefined
  /** Maximum number of streams per owner. */
  maxOfOwner: number
}

/**
 * Streams the rows of one app that are new since the stream opened, or since the last event received. Each read covers
 * only the newest rows, regardless of the filter. Seen rows are tracked by ID: several processes store rows, so their
 * IDs and times are in no particular order.
 */
export function liveLogs({ db, choice, now, lastEventId, maxOfOwner }: LiveLogs): EventFeed {
  const { appId } = choice
  const resumed = /^(\d{1,12})-(\d{1,15})$/.exec(lastEventId ?? '')
  let last = resumed ? { at: Number(resumed[1]), id: Number(resumed[2]) } : undefined
  let known = new Set<number>()
  /** The last row of a full read: older ones come up when newer ones are deleted. */
  let oldest: Place | undefined

  async function next(): Promise<StreamEvent[]> {
    const isFirst = last === undefined
    const since = Math.min(last?.at ?? now(), now()) - lateSeconds
    const rows = await listNewestLogs(db, { appId, since, limit: maxRows })
    const isResumed = known.size === 0 && resumed !== null
    const isNew = (id: number) => !known.has(id) && !(isResumed && id <= (last?.id ?? 0))
    const fresh = rows.filter((row) => isNew(Number(row.id)) && !isBefore(placeOf(row), oldest))
    known = new Set(rows.map((row) => Number(row.id)))
    const final = rows[maxRows - 1]
    oldest = final && placeOf(final)
    const [newest] = rows
    last = newest ? { at: Number(newest.at), id: Math.max(...known) } : (last ?? { at: now(), id: 0 })
    if (isFirst) return [{ id: `${last.at}-${last.id}`, event: 'logs', data: { logs: [] } }]
    const gap = { id: `${last.at}-${last.id}`, event: 'gap', data: {} }
    if (fresh.length === maxRows) return [gap]
    const chosen = fresh.filter((row) => isChosen(row, choice)).toReversed()
    if (chosen.length === 0) return []
    const data = { logs: chosen.map(logReply) }
    return Buffer.byteLength(JSON.stringify(data)) < maxEventBytes ? [{ ...gap, event: 'logs', data }] : [gap]
  }

  return { topic: { kind: 'logs', id: appId }, next, maxOfOwner }
}
