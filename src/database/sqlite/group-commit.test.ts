import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { GroupCommit } from './group-commit.ts'
import { SqliteConnection } from './sqlite-connection.ts'

let folder: string
let connection: SqliteConnection
let commits: GroupCommit
let statements: string[]

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signet-commit-'))
  connection = new SqliteConnection(join(folder, 'test.db'), { durable: false })
  connection.database.exec(`
    create table parents (id integer primary key);
    create table children (id integer primary key, parent integer references parents (id) deferrable initially deferred);
  `)
  commits = new GroupCommit(connection)
  statements = []
  // Everything still runs; it is only written down.
  const exec = connection.database.exec.bind(connection.database)
  connection.database.exec = (sql) => {
    statements.push(sql)
    exec(sql)
  }
})
afterEach(() => {
  connection.close()
  rmSync(folder, { recursive: true, force: true })
})

const insert = (id: number) => commits.submit(async () => connection.run('insert into parents values (?)', [id]))
const count = () => connection.run('select count(*) as n from parents', []).rows[0]?.['n']
const commitsDone = () => statements.filter((sql) => sql === 'commit').length

test('transactions that wait together share one commit', async () => {
  await Promise.all(Array.from({ length: 100 }, (_, id) => insert(id)))
  expect({ rows: count(), commits: commitsDone() }).toEqual({ rows: 100, commits: 1 })
})

test("many transactions commit in groups, so the first ones don't wait for the last", async () => {
  await Promise.all(Array.from({ length: 1000 }, (_, id) => insert(id)))
  expect({ rows: count(), commits: commitsDone() }).toEqual({ rows: 1000, commits: 4 })
})

test('no caller gets a reply before the commit', async () => {
  const order: string[] = []
  const exec = connection.database.exec.bind(connection.database)
  connection.database.exec = (sql) => {
    exec(sql)
    if (sql === 'commit') order.push('commit')
  }
  await Promise.all([1, 2, 3].map((id) => insert(id).then(() => order.push(`answer ${id}`))))
  expect(order).toEqual(['commit', 'answer 1', 'answer 2', 'answer 3'])
})

test('a failed commit rejects every transaction of its group and keeps nothing, and the next group works', async () => {
  const orphan = () => commits.submit(async () => connection.run('insert into children values (1, 99)', []))
  const outcomes = await Promise.allSettled([insert(1), orphan(), insert(2)])
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(String((outcomes[0] as PromiseRejectedResult).reason)).toMatch(/FOREIGN KEY/)
  expect(connection.database.isTransaction).toBe(false)
  await insert(3)
  expect(count()).toBe(1)
})

test('an error that ends the whole transaction, such as a full disk, fails only its group', async () => {
  const ending = () => commits.submit(async () => connection.database.exec('rollback'))
  const outcomes = await Promise.allSettled([insert(1), ending(), insert(2)])
  expect(outcomes.every(({ status }) => status === 'rejected' || status === 'fulfilled')).toBe(true)
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  await insert(3)
  expect(count()).toBe(1)
})

test('a transaction that fails after writing keeps nothing, and the others keep everything', async () => {
  const failing = () =>
    commits.submit(async () => {
      connection.run('insert into parents values (99)', [])
      throw new Error('changed its mind')
    })
  const outcomes = await Promise.allSettled([insert(1), failing(), insert(2)])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(connection.run('select id from parents order by id', []).rows.map(({ id }) => id)).toEqual([1, 2])
})

test('a transaction that throws undefined still fails', async () => {
  await expect(commits.submit(() => Promise.reject(undefined))).rejects.toThrow('The transaction failed')
})

test('idle() waits for everything submitted so far', async () => {
  const unit = insert(1)
  await commits.idle()
  expect(count()).toBe(1)
  await unit
  await commits.idle()
})

test('a writer in another process makes transactions wait, not fail', async () => {
  const other = new SqliteConnection(join(folder, 'test.db'), { durable: false })
  other.database.exec('begin immediate; insert into parents values (1)')
  other.database.exec('commit')
  await insert(2)
  expect(count()).toBe(2)
  other.close()
})

test('after the close, submitted transactions finish, and later ones are rejected', async () => {
  const before = insert(1)
  await commits.close()
  await before
  await expect(insert(2)).rejects.toThrow('The database is closed')
  expect(count()).toBe(1)
})
