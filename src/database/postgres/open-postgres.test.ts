import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { somebodyWaits } from '#testing/faults/waiting-for-lock.ts'
import { freshPostgresUrl } from '#testing/servers/postgres.ts'
import { testEngine } from '#testing/start-test-app.ts'
import type { Database, Tx } from '../database.ts'
import { deleteBatch } from '../delete-rows.ts'
import { preparedQuery } from '../prepared-query.ts'
import { openPostgres } from './open-postgres.ts'

/** What only PostgreSQL has: several processes on one database, deadlocks and lost connections. */
describe.runIf(testEngine === 'postgres')('PostgreSQL', () => {
  let url: string
  let here: Database
  let elsewhere: Database
  let admin: pg.Client

  beforeAll(async () => {
    url = await freshPostgresUrl()
    here = await openPostgres({ url, connections: { calls: 8 } })
    elsewhere = await openPostgres({ url, connections: { calls: 2 } })
    admin = new pg.Client({ connectionString: url })
    await admin.connect()
  })
  afterAll(async () => {
    await Promise.all([here.close(), elsewhere.close(), admin.end()])
  })
  beforeEach(() =>
    here.write(async ({ db: trx }) => {
      await trx.deleteFrom('setup_tokens').execute()
      await trx
        .insertInto('setup_tokens')
        .values(['a', 'b'].map((name) => ({ token_hash: name, expires_at: 0 })))
        .execute()
    }),
  )

  const add = ({ db: trx }: Tx, name: string) =>
    trx
      .updateTable('setup_tokens')
      .set((row) => ({ expires_at: row('expires_at', '+', 1) }))
      .where('token_hash', '=', name)
      .execute()
  const values = async () =>
    (await here.read.selectFrom('setup_tokens').selectAll().orderBy('token_hash').execute()).map(
      (row) => row.expires_at,
    )

  test('a table that a newer process changes in the meantime is read and written as before', async () => {
    const readAll = preparedQuery((db, { name }: { name: string }) =>
      db.selectFrom('setup_tokens').selectAll().where('token_hash', '=', name),
    )
    const touch = preparedQuery((db, { name }: { name: string }) =>
      db.updateTable('setup_tokens').set({ expires_at: 7 }).where('token_hash', '=', name).returningAll(),
    )
    const readings = () => Promise.all(Array.from({ length: 16 }, () => readAll(here.read, { name: 'a' })))
    const writings = () =>
      Promise.all(Array.from({ length: 8 }, () => here.write(({ db: trx }) => touch(trx, { name: 'b' }))))
    for (const column of ['one_more', 'and_another']) {
      await readings()
      await writings()
      await admin.query(`alter table setup_tokens add column ${column} text`)
      expect((await readings()).map(([row]) => row?.token_hash)).toEqual(Array(16).fill('a'))
      expect((await writings()).map(([row]) => row?.expires_at)).toEqual(Array(8).fill(7))
    }
    await admin.query('alter table setup_tokens drop column one_more, drop column and_another')
  })

  test('two deadlocked transactions both commit, each once', async () => {
    const arrived = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
    const ended = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const
    let tries = 0
    const announced: string[] = []
    here.events.on('deadlock', (id) => void announced.push(id))
    async function unit(at: 0 | 1, [one, other]: [string, string]): Promise<void> {
      await here.write(async (each) => {
        tries += 1
        // The rows of the failed try may go to the next one first, which would deadlock again.
        if (tries > 2) await ended[1 - at]?.promise
        each.publish(`deadlock:${at}`)
        await add(each, one)
        arrived[at].resolve()
        await arrived[1 - at]?.promise
        await add(each, other)
      })
      ended[at].resolve()
    }
    await Promise.all([unit(0, ['a', 'b']), unit(1, ['b', 'a'])])
    expect(tries).toBe(3)
    expect(await values()).toEqual([2, 2])
    expect(announced.filter((id, at) => announced.indexOf(id) === at).toSorted()).toEqual(['0', '1'])
  })

  test('a batch of deletions skips the rows that another process is deleting, and is full', async () => {
    const names = ['a', 'b', 'c', 'd', 'e']
    await here.write(async ({ db: trx }) => {
      const rows = names.map((name) => ({ token_hash: name, expires_at: 0 }))
      await trx.deleteFrom('setup_tokens').execute()
      await trx.insertInto('setup_tokens').values(rows).execute()
    })
    const batch = ({ db: trx }: Tx) => deleteBatch(trx, 'setup_tokens', sql`expires_at = 0 order by token_hash`, 2)
    let second: Promise<number> | undefined
    const first = await elsewhere.write(async (tx) => {
      const deleted = await batch(tx)
      second = here.write(batch)
      await somebodyWaits(elsewhere.read)
      return deleted
    })
    expect([first, await second]).toEqual([2, 2])
    expect(await values()).toHaveLength(1)
    await here.write(({ db: trx }) => trx.deleteFrom('setup_tokens').execute())
  })

  test('a statement after the end of its transaction fails, and does not reach the next one', async () => {
    const late = Promise.withResolvers<Tx>()
    await here.write(async (each) => late.resolve(each))
    const each = await late.promise
    await expect(add(each, 'a')).rejects.toThrow('The transaction is over')
    await expect(here.write(async () => add(each, 'a'))).rejects.toThrow('The transaction is over')
    expect(await values()).toEqual([0, 0])
  })

  test('nothing is committed when a statement that nobody waited for failed', async () => {
    const failing = here.write(async (each) => {
      await add(each, 'a')
      each.db
        .insertInto('setup_tokens')
        .values({ token_hash: 'a', expires_at: 0 })
        .execute()
        .catch(() => {})
    })
    await expect(failing).rejects.toThrow('rolled back because a statement failed')
    expect(await values()).toEqual([0, 0])
  })

  test('a serialization failure is retried a few times', async () => {
    let tries = 0
    const failing = here.write(async () => {
      tries += 1
      throw Object.assign(new Error('could not serialize'), { code: '40001' })
    })
    await expect(failing).rejects.toThrow('could not serialize')
    expect(tries).toBe(4)
  })

  test('any other error is final', async () => {
    let tries = 0
    const failing = here.write(async (tx) => {
      tries += 1
      await tx.db.insertInto('setup_tokens').values({ token_hash: 'a', expires_at: 0 }).execute()
    })
    await expect(failing).rejects.toMatchObject({ code: '23505' })
    expect(tries).toBe(1)
  })

  /** Who listens holds the lock of the servers. */
  const listening = `select pid from pg_locks where locktype = 'advisory'`

  /** Tries again with a pause between, without which nothing else in the process would go on. */
  const untilDone = async <T>(attempt: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await attempt()
      } catch {
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    }
  }

  const heard = (db: Database, kind: string) => {
    const { promise, resolve } = Promise.withResolvers<string>()
    db.events.on(kind, resolve)
    return promise
  }

  test("every process receives another process's announcements after the commit", async () => {
    const there = heard(elsewhere, 'shared').then(async (id) => {
      const row = await elsewhere.read
        .selectFrom('setup_tokens')
        .selectAll()
        .where('token_hash', '=', id)
        .executeTakeFirst()
      return [id, row?.token_hash]
    })
    await here.write(async (tx) => {
      tx.publish('shared:new')
      await tx.db.insertInto('setup_tokens').values({ token_hash: 'new', expires_at: 0 }).execute()
    })
    expect(await there).toEqual(['new', 'new'])
  })

  test('a failed transaction announces nothing, in any process', async () => {
    const there = heard(elsewhere, 'quiet')
    const failing = here.write(async (tx) => {
      tx.publish('quiet:failed')
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await here.write(async (tx) => tx.publish('quiet:worked'))
    expect(await there).toBe('worked')
  })

  test('a process that just started discards what it read before it listened', async () => {
    const started = await openPostgres({ url, connections: { calls: 1 } })
    expect(await heard(started, 'cached')).toBe('*')
    await started.close()
  })

  test('a listener that lost its connection reconnects and discards everything cached', async () => {
    const flushed = heard(elsewhere, 'cached')
    await admin.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid in (${listening})`)
    await here.write(async (tx) => tx.publish('unrelated:missed'))
    expect(await flushed).toBe('*')
    await untilDone(() => elsewhere.ping())
    const next = heard(elsewhere, 'afterwards')
    await here.write(async (tx) => tx.publish('afterwards:heard again'))
    expect(await next).toBe('heard again')
  })

  test('connections that the server closes are replaced, and the next call works', async () => {
    await admin.query(`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid not in (${listening}) and pid <> pg_backend_pid()`)
    expect(await untilDone(values)).toEqual([0, 0])
  })

  test.each([
    ['wrote', (db: Database) => db.write(({ db: trx }) => trx.deleteFrom('setup_tokens').execute())],
    ['read', (db: Database) => db.read.selectFrom('setup_tokens').selectAll().execute()],
    ['did nothing', async () => {}],
  ])('a closed database that only %s leaves no connection, so that its command ends', async (_name, use) => {
    const separate = await freshPostgresUrl()
    const db = await openPostgres({ url: separate, connections: { calls: 2 } })
    await use(db)
    await db.close()
    const left = async () => {
      const { rows } = await admin.query<{ left: number }>(
        'select count(*)::integer as left from pg_stat_activity where datname = $1',
        [new URL(separate).pathname.slice(1)],
      )
      return rows[0]?.left
    }
    // A connection that nobody closes stays for 30 s.
    await expect.poll(left, { timeout: 15_000 }).toBe(0)
  })

  test('a missing database stops the start and leaves nothing open', async () => {
    const missing = url.replace(/\/[^/]*$/, '/no_such_database')
    await expect(openPostgres({ url: missing, connections: { calls: 2 } })).rejects.toThrow(/does not exist/)
  })
})
