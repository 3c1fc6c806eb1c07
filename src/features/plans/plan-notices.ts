import type { Tx } from '#database/database.ts'
import { lockAccount } from '#features/accounts/accounts.actions.ts'
import { type Account, listPlansEnding } from '#features/accounts/accounts.reads.ts'
import type { JobHandler } from '#server/jobs/jobs.ts'
import { mailIsOn, queueMail } from '#server/mail/mail.ts'
import { mailTime } from '#server/mail/mail-texts.ts'
import { epochSeconds, type Services } from '#server/services.ts'
import { findPlan } from './plans.reads.ts'
import type { PlanNotice } from './plans.table.ts'
import { insertNotice } from './plans.writes.ts'

/** Notifies owners by email a week before their plan ends, a day before, and when it has ended. Each only once. */

const daySeconds = 86_400
const stages = [
  { stage: 'ended', from: -7 * daySeconds, to: 0 },
  { stage: 'day', from: 0, to: daySeconds },
  { stage: 'week', from: daySeconds, to: 7 * daySeconds },
] as const

const accountsPerRead = 200

/** Plans that ended over a week ago, for example while mail was off, are not announced anymore. */
async function mailPlanEnds(services: Services): Promise<void> {
  if (!mailIsOn(services)) return
  const now = epochSeconds(services)
  for (const { stage, from, to } of stages) {
    let after = { endsAt: now + from + 1, id: '' }
    for (;;) {
      const query = { after, until: now + to, limit: accountsPerRead }
      const accounts = await listPlansEnding(services.db.read, query)
      for (const account of accounts)
        await services.db.write((tx) => mailPlanEnd(tx, services, account, { stage, now }))
      const last = accounts.at(-1)
      if (!last || accounts.length < accountsPerRead) break
      after = { endsAt: Number(last.plan_expires_at), id: last.id }
    }
  }
}

async function mailPlanEnd(
  tx: Tx,
  services: Services,
  { id, plan_expires_at }: Account,
  { stage, now }: { stage: PlanNotice; now: number },
): Promise<void> {
  const account = await lockAccount(tx, id)
  // The plan may have been renewed, or the owner banned, in the meantime.
  if (!account || account.banned === 1 || account.plan_expires_at !== plan_expires_at) return
  const { username, email: to, plan, language, time_zone: timeZone } = account
  const endsAt = Number(plan_expires_at)
  if (!(await insertNotice(tx.db, { account_id: id, ends_at: endsAt, stage }))) return
  const bought = await findPlan(tx.db, plan)
  const values = { username, plan: bought?.displayName ?? plan, time: mailTime(endsAt, { timeZone, language }) }
  if (stage === 'ended') return queueMail(tx, services, { to, language, code: 'plan-ended', values }, now)
  const days = Math.max(1, Math.ceil((endsAt - now) / daySeconds))
  return queueMail(tx, services, { to, language, code: 'plan-ending', values: { ...values, days } }, now)
}

export const planJobs: Readonly<Record<string, JobHandler>> = {
  'plan-notices': { concurrency: 1, leaseSeconds: 600, maxAttempts: 20, everySeconds: 3600, run: mailPlanEnds },
}
