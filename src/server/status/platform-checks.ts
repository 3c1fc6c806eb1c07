import type { Reader, Tx } from '#database/database.ts'

/** Self-checks of the server, such as whether the ledger of credits adds up. */
export interface PlatformChecksTable {
  name: string
  /** Epoch seconds. */
  checked_at: number
  problems: number
}

declare module '#database/schema.ts' {
  interface Schema {
    platform_checks: PlatformChecksTable
  }
}

/** The name of the check for damage, which `/readyz` reports. */
export const integrityCheck = 'integrity'

export interface PlatformCheck {
  /** `ledger` */
  name: string
  /** Epoch seconds. */
  checkedAt: number
  /** 0 if there are no problems. */
  problems: number
}

/** More than two runs at the same time can differ by: such a time is of a clock that was ahead. */
const maxAheadSeconds = 3600

/** Records the result of a check; of two concurrent runs, the later result is kept. */
export async function recordCheck(tx: Tx, { name, checkedAt, problems }: PlatformCheck): Promise<void> {
  const values = { checked_at: checkedAt, problems }
  await tx.db
    .insertInto('platform_checks')
    .values({ name, ...values })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet(values)
        .where(({ eb, or }) =>
          or([
            eb('platform_checks.checked_at', '<=', checkedAt),
            eb('platform_checks.checked_at', '>', checkedAt + maxAheadSeconds),
          ]),
        ),
    )
    .execute()
}

/** Of the latest result; 0 without one. */
export async function findProblems(db: Reader, name: string): Promise<number> {
  const row = await db.selectFrom('platform_checks').select('problems').where('name', '=', name).executeTakeFirst()
  return Number(row?.problems ?? 0)
}

/** The latest result of every check. */
export async function listChecks(db: Reader): Promise<PlatformCheck[]> {
  const rows = await db.selectFrom('platform_checks').selectAll().orderBy('name').execute()
  return rows.map(({ name, checked_at, problems }) => ({
    name,
    checkedAt: Number(checked_at),
    problems: Number(problems),
  }))
}
