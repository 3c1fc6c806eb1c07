import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** Set by the global set-up of the PostgreSQL half of the tests. */
const serverUrl = process.env['TEST_POSTGRES_URL']

/** A database of its own on the test run's PostgreSQL server. */
export async function freshPostgresUrl(): Promise<string> {
  if (!serverUrl) throw new Error('TEST_POSTGRES_URL is not set: run the tests with npm test')
  const name = `t_${randomBytes(8).toString('hex')}`
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  return serverUrl.replace(/\/[^/]*$/, `/${name}`)
}
