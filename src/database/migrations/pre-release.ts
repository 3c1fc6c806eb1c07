import { DatabaseUnusable } from '../unusable.ts'
import { firstRelease } from './001-first-release/first-release.ts'

/** A row of the table `migrations`. */
export interface DoneMigration {
  number: number
  name: string
}

/** Versions before the first release had a chain of migrations of their own, whose tables in the end are the same. */
const chain = { begins: 'accounts', ends: { number: 46, name: 'the owner of a lane of jobs' } }
const lastVersion = 'the last pre-release version (commit 4ed3d68)'

/**
 * Whether a database has all of the pre-release chain, so that it counts as one of the first release. `done` is in
 * order. Throws `DatabaseUnusable` for a part of that chain.
 */
export function isPreRelease(done: readonly DoneMigration[]): boolean {
  const newest = done.at(-1)
  if (!newest || done[0]?.name !== chain.begins) return false
  const { number, name } = newest
  if (number === chain.ends.number && name === chain.ends.name) return true
  throw new DatabaseUnusable(
    number < chain.ends.number
      ? `The database is of an old pre-release version (migration ${number}). Start it once with ${lastVersion}, then with this one.`
      : `The database is of a development version after ${lastVersion}. Restore a backup from before it.`,
  )
}

/** What takes the place of the rows of `migrations` in a database of the pre-release chain. */
export const carriedOver: readonly DoneMigration[] = [{ number: 1, name: firstRelease.name }]

/** PostgreSQL's constraints of a column that the pre-release chain renamed have the names that the first release gives. */
export const renameConstraints = `
do $$ declare old_name text; begin
  for old_name in
    select conname from pg_constraint where conrelid = 'licenses'::regclass and starts_with(conname, 'licenses_expiry_')
  loop
    execute format('alter table licenses rename constraint %I to %I',
      old_name, replace(old_name, 'expiry', 'duration_seconds'));
  end loop;
end $$;
`

/** The number of the first release for the last migration of the pre-release chain; throws for any other. */
export function numberOfPreReleaseBackup(migration: number): number {
  if (migration === chain.ends.number) return 1
  throw new DatabaseUnusable(
    `The backup is of another pre-release version (migration ${migration}). Restore it with that version, start ` +
      `${lastVersion} once on that database, and make a new backup.`,
  )
}
