import { epochSeconds, type Services } from '#server/services.ts'
import { daySeconds, historyDays, minuteRetentionDays } from './status.rules.ts'
import { listStatusDays, oldestMinuteBefore } from './status.reads.ts'
import type { StatusMinutesTable } from './status.table.ts'
import { countMinute, deleteDay, deleteMinute } from './status.writes.ts'

const minutesPerTransaction = 100
/** Kept this long, so that a minute written late by another process is not counted twice. */
const retentionMinutes = minuteRetentionDays * 1440
/** Old minutes deleted with each sample: more than are added. */
const deletedPerSample = 3

/** Adds measured minutes to the counts of their days, each only once. */
export async function recordMinutes(services: Services, measured: Iterable<StatusMinutesTable>): Promise<void> {
  const { db } = services
  const oldest = Math.floor(epochSeconds(services) / 60) - retentionMinutes
  // In key order, to avoid deadlocks between processes.
  const minutes = [...measured]
    .filter(({ minute }) => minute > oldest)
    .toSorted((a, b) => a.minute - b.minute || (a.part < b.part ? -1 : 1))
  if (minutes.length === 0) return
  for (let from = 0; from < minutes.length; from += minutesPerTransaction) {
    await db.write(async (tx) => {
      for (const minute of minutes.slice(from, from + minutesPerTransaction)) await countMinute(tx.db, minute)
    })
  }
  for (let n = 0; n < deletedPerSample; n++) {
    const old = await oldestMinuteBefore(db.read, oldest)
    if (!old) break
    await db.write((tx) => deleteMinute(tx.db, Number(old.minute)))
  }
  await forgetOldDays(services)
}

async function forgetOldDays(services: Services): Promise<void> {
  const { db } = services
  const firstDay = Math.floor(epochSeconds(services) / daySeconds) - historyDays + 1
  const [old] = (await listStatusDays(db.read, 0)).filter(({ day }) => Number(day) < firstDay)
  if (old) await db.write((tx) => deleteDay(tx.db, Number(old.day)))
}
