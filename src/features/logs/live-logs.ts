import type { Reader } from '#database/database.ts'
import { type EventFeed, maxEventBytes, type StreamEvent } from '#server/http/event-stream.ts'
import { isChosen } from './log-choice.ts'
import { listNewestLogs, type LogChoice } from './logs.reads.ts'
import { logReply } from './logs.reply.ts'

/** More at once are no tail any more: whoever follows reads the list again. */
const maxRows = 200
/** Rows are stored up to some seconds after what they tell of, by several processes in any order. */
const lateSeconds = 120

interface LiveLogs {
  db: Reader
  choice: LogChoice
  /** Epoch seconds. */
  now: () => number
  /** Of a stream that broke. */
  lastEventId: string | undefined
  /** How many streams the owner may have. */
  maxOfOwner: number
}

/**
 * The rows of one app that are new since the stream opened, or since the row that was heard last. Each read is of the
 * newest rows alone, whatever the filter; those that were sent are known by their ids, because ids and times of rows
 * that several processes store come in any order.
 */
export function liveLogs({ db, choice, now, lastEventId, maxOfOwner }: LiveLogs): EventFeed {
  const { appId } = choice
  const resumed = /^(\d{1,12})-(\d{1,15})$/.exec(lastEventId ?? '')
  let last = resumed ? { at: Number(resumed[1]), id: Number(resumed[2]) } : undefined
  let known = new Set<number>()

  async function next(): Promise<StreamEvent[]> {
    const isFirst = last === undefined
    const since = Math.min(last?.at ?? now(), now()) - lateSeconds
    const rows = await listNewestLogs(db, { appId, since, limit: maxRows })
    const isResumed = known.size === 0 && resumed !== null
    const isNew = (id: number) => !known.has(id) && !(isResumed && id <= (last?.id ?? 0))
    const fresh = rows.filter((row) => isNew(Number(row.id)))
    known = new Set(rows.map((row) => Number(row.id)))
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
