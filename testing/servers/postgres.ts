import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { migratePostgres } from '#database/migrate.ts'

/** Set by the global setup of the PostgreSQL tests. */
const serverUrl = process.env['TEST_POSTGRES_URL']

/** A new empty database on the PostgreSQL server of the test run. */
export const freshPostgresUrl = (): Promise<string> => newDatabase('template1')

/** A new empty database whose locale sorts as people do, unlike that of the others. */
export const englishPostgresUrl = (): Promise<string> => newDatabase("template0 locale_provider icu icu_locale 'en-US'")

let migrated: Promise<string> | undefined

/** A new database with all tables, as on the second start of a server. */
export async function migratedPostgresUrl(): Promise<string> {
  migrated ??= newMigratedDatabase()
  return newDatabase(nameIn(await migrated))
}

/** A new database with the data of another one, which nobody uses meanwhile. */
export const copyOfPostgres = (url: string): Promise<string> => newDatabase(nameIn(url))

async function newMigratedDatabase(): Promise<string> {
  const url = await freshPostgresUrl()
  // A database with open connections cannot be copied.
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  await migratePostgres(pool)
  await pool.end()
  return url
}

async function newDatabase(template: string): Promise<string> {
  if (!serverUrl) throw new Error('TEST_POSTGRES_URL is not set: run the tests with npm test')
  const url = serverUrl.replace(/\/[^/]*$/, `/t_${randomBytes(8).toString('hex')}`)
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(`create database ${nameIn(url)} template ${template} strategy file_copy`)
  await client.end()
  return url
}

const nameIn = (url: string) => url.slice(url.lastIndexOf('/') + 1)
