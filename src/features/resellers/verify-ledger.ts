import { sql } from 'kysely'
import type { Database } from '#database/database.ts'
import type { JobHandler } from '#server/jobs/jobs.ts'
import { epochSeconds } from '#server/services.ts'
import { recordCheck } from '#server/status/platform-checks.ts'

export interface LedgerProblem {
  /**
   * `sum`: the three accounts don't add up to zero; `transfers`: an account differs from the sum of its transfers;
   * `negative`: an account is below zero that must not be; `spent`: spent credits differ from the cost of the existing
   * licenses.
   */
  problem: 'sum' | 'transfers' | 'negative' | 'spent'
  appId: string
  resellerId: string
  /** Actual and expected amount. */
  found: number
  expected: number
}

interface Row {
  problem: LedgerProblem['problem']
  app_id: string
  reseller_id: string
  found: number
  expected: number
}

/** Lists ledger inconsistencies in one statement, for a consistent snapshot. Reads all rows. */
export async function verifyLedger({ reports }: Pick<Database, 'reports'>): Promise<LedgerProblem[]> {
  // The rows of a deleted app are removed one by one, so they don't add up meanwhile.
  const isLive = sql`not exists (select 1 from apps where apps.id = app_id and apps.deleted_at is not null)`
  const { rows } = await sql<Row>`
    select 'sum' as problem, app_id, reseller_id, sum(balance) as found, 0 as expected
      from credit_accounts where ${isLive}
      group by app_id, reseller_id having sum(balance) <> 0
    union all
    select 'transfers', app_id, reseller_id, sum(balance), sum(moved) from (
        select app_id, reseller_id, kind, balance, 0 as moved from credit_accounts
        union all select app_id, reseller_id, credit, 0, amount from credit_transfers
        union all select app_id, reseller_id, debit, 0, -amount from credit_transfers
      ) as movements where ${isLive}
      group by app_id, reseller_id, kind having sum(balance) <> sum(moved)
    union all
    select 'negative', app_id, reseller_id, balance, 0
      from credit_accounts where kind <> 'source' and balance < 0
    union all
    select 'spent', app_id, reseller_id, sum(spent), sum(cost) from (
        select app_id, reseller_id, balance as spent, 0 as cost from credit_accounts where kind = 'spent'
        union all
        select app_id, reseller_id, 0, coalesce(price, 0) from licenses where reseller_id is not null
      ) as sides where ${isLive}
      group by app_id, reseller_id having sum(spent) <> sum(cost)`.execute(reports)
  return rows.map(({ problem, app_id, reseller_id, found, expected }) => ({
    problem,
    appId: app_id,
    resellerId: reseller_id,
    found: Number(found),
    expected: Number(expected),
  }))
}

export const ledgerProblemText = 'the ledger of credits does not add up'

/** Runs hourly. The result appears on the status page, in the metrics and for administrators. */
export const verifyLedgerJob: JobHandler = {
  concurrency: 1,
  leaseSeconds: 1800,
  maxAttempts: 3,
  everySeconds: 3600,
  async run(services) {
    const { db, log } = services
    const problems = await verifyLedger(db)
    for (const problem of problems) log.error(problem, ledgerProblemText)
    const check = { name: 'ledger', checkedAt: epochSeconds(services), problems: problems.length }
    await db.write((tx) => recordCheck(tx, check))
  },
}
