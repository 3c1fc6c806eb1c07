import { activityLog } from '#features/logs/logs.actions.ts'
import type { OwnedApp } from './people/people.ts'
import type { TestApp } from './start-test-app.ts'

/** Creates log entries of sign-ins one second apart; every second one is rejected. */
export async function logSignIns(app: TestApp, { appId }: OwnedApp, amount: number): Promise<void> {
  const log = activityLog(app.services)
  for (let n = 0; n < amount; n++) {
    const rejected = n % 2 === 1 && { code: 'X' }
    log.record({ appId, at: app.now() + n, call: 'login', username: `user ${n}`, ip: '::1', ...rejected })
  }
  await log.flush()
}

export interface LogRow {
  code?: string
  /** `login` if omitted. */
  call?: string
  username?: string
  license?: string
  /** In seconds. */
  ago?: number
}

/** Stores log entries, a minute old unless they say otherwise. */
export async function insertLogRows(app: TestApp, { appId }: Pick<OwnedApp, 'appId'>, rows: readonly LogRow[]) {
  const values = rows.map(({ code = '', call = 'login', username = '', license = '', ago = 60 }) => ({
    app_id: appId,
    at: app.now() - ago,
    call,
    code,
    username,
    license,
    message: '',
    hwid_hash: '',
    ip: '::1',
    country: '',
    session: '',
  }))
  await app.db.write(({ db }) => db.insertInto('logs').values(values).execute())
}

/** IDs of the newest 100 entries, newest first. */
export async function logIds({ visitor }: OwnedApp): Promise<number[]> {
  const { body } = await visitor.call('GET /logs', { query: { limit: 100 } })
  return body.logs.map(({ id }) => id)
}

/** Audit events of changes of the log, oldest first. */
export async function auditOfLogs(
  { db }: TestApp,
  { appId }: OwnedApp,
): Promise<[act: string, target: string | null][]> {
  const rows = await db.read
    .selectFrom('audit')
    .select(['act', 'target'])
    .where('app_id', '=', appId)
    .where('act', 'like', 'log.%')
    .orderBy('id')
    .execute()
  return rows.map(({ act, target }) => [act, target])
}
