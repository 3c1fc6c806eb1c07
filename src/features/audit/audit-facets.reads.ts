import { sql } from 'kysely'
import { type Facet, facetOf } from '#contract/facet-field.ts'
import type { Reader } from '#database/database.ts'
import { type AuditChoice, filterAudit } from './audit.reads.ts'

/** How many entries of the audit each value of a filter has. */

export interface AuditFacets {
  acts: Facet
  actors: Facet
}

/**
 * Counts the newest `max` entries. The values of a filter are counted without that filter itself; filters that are off
 * share one read.
 */
export async function countByValue(db: Reader, choice: AuditChoice, max: number): Promise<AuditFacets> {
  const { act, actor } = choice
  const whole = act && actor ? nothing : await countNewest(db, choice, max)
  const acts = act ? await countNewest(db, { ...choice, act: undefined }, max) : whole
  const actors = actor ? await countNewest(db, { ...choice, actor: undefined }, max) : whole
  return {
    // The filter by an action also finds its undo.
    acts: facetOf(
      acts.groups.map((group) => ({ value: group.act.replace(/\.undo$/, ''), count: group.count })),
      acts.isMore,
    ),
    actors: facetOf(
      actors.groups.map((group) => ({ value: group.type, count: group.count })),
      actors.isMore,
    ),
  }
}

interface Counted {
  groups: { act: string; type: string; count: number }[]
  isMore: boolean
}

const nothing: Counted = { groups: [], isMore: false }

async function countNewest(db: Reader, choice: AuditChoice, max: number): Promise<Counted> {
  const newest = filterAudit(db, choice).orderBy('audit.at', 'desc').orderBy('audit.id', 'desc')
  const rows = await db
    .selectFrom(
      newest
        .select(['audit.act', typeOf(choice).as('type')])
        .limit(max)
        .as('entry'),
    )
    .select(({ fn }) => ['act', 'type', fn.countAll<number>().as('n')])
    .groupBy(['act', 'type'])
    .execute()
  const groups = rows.map(({ n, ...group }) => ({ ...group, count: Number(n) }))
  const counted = groups.reduce((sum, { count }) => sum + count, 0)
  if (counted < max) return { groups, isMore: false }
  const next = await newest.select('audit.id').offset(max).limit(1).executeTakeFirst()
  return { groups, isMore: next !== undefined }
}

/** As the filter by actor has it: on their own account, administrators are ordinary owners, and others are not. */
const typeOf = ({ isOwn, ownerId = '' }: AuditChoice) =>
  isOwn
    ? sql<string>`case when audit.actor_type not in ('owner', 'admin') then audit.actor_type
        when audit.actor_id = ${ownerId} then 'owner' else 'admin' end`
    : sql<string>`audit.actor_type`
