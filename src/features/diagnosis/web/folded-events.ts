import { dayStamp } from '#web/time/time-text.ts'
import type { DiagnosisEvent } from './why-data.ts'

/** Repetitions of one event, shown in one row. */
export interface FoldedEvent {
  /** The newest one. */
  event: DiagnosisEvent
  ids: readonly string[]
  /** Epoch seconds. */
  first: number
  last: number
}

interface Day {
  /** Epoch seconds within the day. */
  at: number
  rows: readonly FoldedEvent[]
}

const signIns = new Set(['license', 'login', 'register', 'renew'])

/** What makes two calls the same; the newer machine or address of a program is another one. */
const keyOf = ({ call, code, credential, device, ip, message, id }: DiagnosisEvent): string =>
  call === '' || call === 'message'
    ? id
    : JSON.stringify([call, code, credential, device, ip, code === '' ? '' : message])

/** What a row may not be folded across: an owner's action and a sign-in change what comes after them. */
const isTurn = ({ act, code, call }: DiagnosisEvent): boolean => act !== '' || (code === '' && signIns.has(call))

/** Newest first, by day of the reader's time zone. */
export function foldEvents(events: readonly DiagnosisEvent[], timeZone: string): Day[] {
  const days = new Map<string, { at: number; rows: FoldedEvent[] }>()
  let open = new Map<string, FoldedEvent & { ids: string[] }>()
  let openDay = ''
  for (const event of events) {
    const { timestamp: at } = event
    const stamp = dayStamp(at, timeZone)
    const key = keyOf(event)
    if (isTurn(event) || stamp !== openDay)
      open = new Map([...open].filter(([each]) => each === key && stamp === openDay))
    openDay = stamp
    const day = days.get(stamp) ?? { at, rows: [] }
    days.set(stamp, day)
    const row = open.get(key)
    if (row) {
      row.ids.push(event.id)
      row.first = at
      continue
    }
    const added = { event, ids: [event.id], first: at, last: at }
    open.set(key, added)
    day.rows.push(added)
  }
  return [...days.values()]
}
