import { countAll } from '#database/count-all.ts'
import { type Expression, type Selectable, sql, type SqlBool } from 'kysely'
import { auditSubjects, signInEvents } from '#contract/audit-events.ts'
import { valuesOf } from '#contract/list-field.ts'
import type { SortBy } from '#contract/sort-field.ts'
import type { Database, Reader } from '#database/database.ts'
import { throwIfAborted } from '#database/report-queue.ts'
import type { Schema } from '#database/schema.ts'

export interface AuditFilter {
  act?: string | undefined
  actor?: string | undefined
  actorId?: string | undefined
  inApp?: string | undefined
  target?: string | undefined
  ip?: string | undefined
  /** Epoch seconds, both inclusive. */
  from?: number | undefined
  until?: number | undefined
  days?: number | undefined
  search?: string | undefined
  ownerId?: string | undefined
}

/** Row filter. Without an owner, rows of all owners; with `isOwn`, as that owner sees them. */
export interface AuditChoice extends AuditFilter {
  isOwn: boolean
  /** Epoch seconds. */
  now: number
}

/** A row with the names of the objects it refers to, if they still exist. */
export type NamedAuditRow = Selectable<Schema['audit']> & {
  account_name: string | null
  reseller_name: string | null
  key_name: string | null
  owner_name: string | null
  app_name: string | null
  has_targets: number
}

const oneDay = 86_400

/** Several are separated by commas in `act` and `actor`. */
export function filterAudit(db: Reader, choice: AuditChoice) {
  const { ownerId, isOwn, act, actor, actorId, inApp, ip, from, until, days, now } = choice
  let query = db.selectFrom('audit')
  if (ownerId) query = query.where('audit.owner_id', '=', ownerId)
  for (const target of [choice.target?.trim(), choice.search?.trim()])
    if (target) query = query.where('audit.target', '=', target)
  if (act) query = query.where(isOneOfActs(valuesOf(act)))
  if (actor) query = query.where(isOneOfActors(valuesOf(actor), { isOwn, ownerId }))
  if (actorId) query = query.where('audit.actor_id', '=', actorId)
  // The address of an administrator acting on another account is not shown to that account.
  if (isOwn && (actorId || ip))
    query = query.where(({ or, eb }) =>
      or([eb('audit.actor_type', '<>', 'admin'), eb('audit.actor_id', '=', ownerId ?? '')]),
    )
  if (inApp) query = query.where('audit.app_id', '=', inApp)
  if (ip) query = query.where('audit.ip', '=', ip.trim())
  if (from !== undefined) query = query.where('audit.at', '>=', from)
  if (until !== undefined) query = query.where('audit.at', '<=', until)
  if (days !== undefined) query = query.where('audit.at', '>', now - days * oneDay)
  return query
}

// The rows of one action or one kind of actor are a range of an index, in the order of time. Those of several would have
// to be sorted, all of them for each page. So with several, the index by time is read, and the filter is a condition on
// each row: the expression keeps the planners from the other indexes.

const columnOf = (names: readonly string[], column: 'audit.act' | 'audit.actor_type') =>
  names.length > 1 ? sql<string>`${sql.ref(column)} || ''` : sql<string>`${sql.ref(column)}`

function isOneOfActs(acts: readonly string[]): Expression<SqlBool> {
  const act = columnOf(acts, 'audit.act')
  const matches = acts.map((name) =>
    (auditSubjects as string[]).includes(name)
      ? // The sign after the point.
        sql<SqlBool>`(${act} >= ${`${name}.`} and ${act} < ${`${name}/`})`
      : sql<SqlBool>`${act} in (${name}, ${`${name}.undo`})`,
  )
  return sql<SqlBool>`(${sql.join(matches, sql` or `)})`
}

const teamTypes = ['owner', 'admin', 'reseller', 'seller-key']

function isOneOfActors(
  actors: readonly string[],
  { isOwn, ownerId }: Pick<AuditChoice, 'isOwn' | 'ownerId'>,
): Expression<SqlBool> {
  const type = columnOf(actors, 'audit.actor_type')
  // Most rows are of these kinds: the index by time finds them at once, while one by kind would sort all of them.
  const isOfTypes = (types: readonly string[]) => sql<SqlBool>`audit.actor_type || '' in (${sql.join(types)})`
  const matches = actors.map((actor) => {
    if (actor === 'team')
      return sql<SqlBool>`(${isOfTypes(teamTypes)} and audit.act not in (${sql.join(signInEvents)}))`
    if (!isOwn || (actor !== 'owner' && actor !== 'admin')) return sql<SqlBool>`${type} = ${actor}`
    // Administrators are owners, too: actions on their own account are their own.
    const isOwner = actor === 'owner' ? sql`=` : sql`<>`
    return sql<SqlBool>`(${isOfTypes(['owner', 'admin'])} and audit.actor_id ${isOwner} ${ownerId ?? ''})`
  })
  return sql<SqlBool>`(${sql.join(matches, sql` or `)})`
}

/** Number of matching rows, at most `max`. */
export const countAudit = (db: Reader, choice: AuditChoice, max: number): Promise<number> =>
  countAll(
    db.selectFrom(
      filterAudit(db, choice)
        .select(sql<number>`1`.as('one'))
        .limit(max)
        .as('counted'),
    ),
  )

interface AuditPage {
  offset: number
  limit: number
  /** Newest first by default. */
  sort?: SortBy<'time'> | undefined
}

export function listAudit(db: Reader, { offset, limit, sort = '-time', ...choice }: AuditChoice & AuditPage) {
  const direction = sort === 'time' ? 'asc' : 'desc'
  const ids = filterAudit(db, choice)
    .select(['audit.id'])
    .orderBy('audit.at', direction)
    .orderBy('audit.id', direction)
    .limit(limit)
    .offset(offset)
  return named(db, ids).orderBy('audit.at', direction).orderBy('audit.id', direction).execute()
}

/** One row; without an owner, of any owner. */
export function findAudit(
  db: Reader,
  { id, ownerId }: { id: number; ownerId?: string | undefined },
): Promise<NamedAuditRow | undefined> {
  const row = db.selectFrom('audit').select('audit.id').where('audit.id', '=', id)
  return named(db, ownerId === undefined ? row : row.where('audit.owner_id', '=', ownerId)).executeTakeFirst()
}

/** All matching rows, oldest first, in batches; ends when the caller disconnects. */
export async function* scanAudit(
  { reports }: Database,
  choice: AuditChoice,
  limit: number,
): AsyncGenerator<readonly NamedAuditRow[]> {
  let query = filterAudit(reports, choice)
  for (;;) {
    throwIfAborted()
    const ids = query.select(['audit.id']).orderBy('audit.at').orderBy('audit.id').limit(limit)
    const rows = await named(reports, ids).orderBy('audit.at').orderBy('audit.id').execute()
    const last = rows.at(-1)
    if (!last) return
    yield rows
    query = filterAudit(reports, choice).where(sql<boolean>`(audit.at, audit.id) > (${last.at}, ${last.id})`)
  }
}

interface TargetsChoice {
  auditId: number
  /** Without an owner, rows of any owner. */
  ownerId?: string | undefined
}

function targetsOf(db: Reader, { auditId, ownerId }: TargetsChoice) {
  const targets = db.selectFrom('audit_targets').where('audit_targets.audit_id', '=', auditId)
  if (ownerId === undefined) return targets
  const row = db.selectFrom('audit').select('audit.id').where('audit.id', '=', auditId)
  return targets.where('audit_targets.audit_id', 'in', row.where('audit.owner_id', '=', ownerId))
}

export const countTargets = (db: Reader, choice: TargetsChoice): Promise<number> => countAll(targetsOf(db, choice))

export async function listTargets(
  db: Reader,
  { offset, limit, ...choice }: TargetsChoice & { offset: number; limit: number },
): Promise<string[]> {
  const rows = targetsOf(db, choice).select('audit_targets.target').orderBy('audit_targets.target')
  return (await rows.limit(limit).offset(offset).execute()).map(({ target }) => target)
}

/** Names are looked up only for the rows of a page. */
const named = (db: Reader, ids: ReturnType<ReturnType<typeof filterAudit>['select']>) =>
  db
    .selectFrom('audit')
    .where('audit.id', 'in', ids as never)
    .leftJoin('accounts as account', 'account.id', 'audit.actor_id')
    .leftJoin('resellers as reseller', 'reseller.id', 'audit.actor_id')
    .leftJoin('seller_keys as key', 'key.id', 'audit.actor_id')
    .leftJoin('accounts as owner', 'owner.id', 'audit.owner_id')
    .leftJoin('apps as app', 'app.id', 'audit.app_id')
    .selectAll('audit')
    .select([
      'account.username as account_name',
      'reseller.username as reseller_name',
      'key.name as key_name',
      'owner.username as owner_name',
      'app.name as app_name',
    ])
    .select(({ exists, selectFrom, case: when }) =>
      when()
        .when(
          exists(
            selectFrom('audit_targets')
              .select('audit_targets.target')
              .whereRef('audit_targets.audit_id', '=', 'audit.id'),
          ),
        )
        .then(1)
        .else(0)
        .end()
        .as('has_targets'),
    )
