import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, testEngine, type TestApp } from '#testing/start-test-app.ts'
import { atOnce } from './at-once.ts'
import type { Database, Tx } from './database.ts'

/** Transactions, the same on both engines. A table of two columns stands for all. */

let app: TestApp
let db: Database

beforeAll(async () => {
  app = await startTestApp()
  db = app.db
})
afterAll(() => app.close())
beforeEach(() => db.write((tx) => tx.db.deleteFrom('setup_tokens').execute()))

const insert = ({ db: trx }: Tx, name: string, value = 0) =>
  trx.insertInto('setup_tokens').values({ token_hash: name, expires_at: value }).execute()
const add = ({ db: trx }: Tx, name: string, value: number) =>
  trx
    .updateTable('setup_tokens')
    .set((row) => ({ expires_at: row('expires_at', '+', value) }))
    .where('token_hash', '=', name)
    .execute()
const rows = async () => {
  const all = await db.read
    .selectFrom('setup_tokens')
    .select(['token_hash', 'expires_at'])
    .orderBy('token_hash')
    .execute()
  return new Map(all.map((row) => [row.token_hash, Number(row.expires_at)]))
}

describe('one transaction among others', () => {
  test('a failing transaction rolls back alone, at any position, and the others stay', async () => {
    const units = Array.from({ length: 9 }, (_, n) =>
      db.write(async (tx) => {
        await insert(tx, `before ${n}`)
        if (n % 3 === 1) throw new Error(`unit ${n} failed`)
        await insert(tx, `after ${n}`)
        return n
      }),
    )
    const outcomes = await Promise.allSettled(units)
    expect(outcomes.map(({ status }) => status)).toEqual(
      Array.from({ length: 9 }, (_, n) => (n % 3 === 1 ? 'rejected' : 'fulfilled')),
    )
    const kept = [0, 2, 3, 5, 6, 8].flatMap((n) => [`after ${n}`, `before ${n}`])
    expect([...(await rows()).keys()]).toEqual(kept.toSorted())
  })

  test("a transaction's own error reaches its caller unchanged", async () => {
    const error = new Error('as it was')
    await expect(db.write(() => Promise.reject(error))).rejects.toBe(error)
    await expect(
      db.write(async () => {
        throw error
      }),
    ).rejects.toBe(error)
  })

  test('a database error reaches its caller, and no other', async () => {
    await db.write((tx) => insert(tx, 'taken'))
    const [first, second, third] = await Promise.allSettled(
      ['new', 'taken', 'newer'].map((name) => db.write((tx) => insert(tx, name))),
    )
    expect([first?.status, second?.status, third?.status]).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(String((second as PromiseRejectedResult).reason)).toMatch(/unique/i)
    expect([...(await rows()).keys()]).toEqual(['new', 'newer', 'taken'])
  })

  test('a transaction that continues after a failed statement still keeps nothing', async () => {
    await db.write((tx) => insert(tx, 'taken'))
    const work = db.write(async (tx) => {
      await insert(tx, 'first')
      await insert(tx, 'taken')
    })
    await expect(work).rejects.toThrow(/unique/i)
    expect([...(await rows()).keys()]).toEqual(['taken'])
  })

  test("a transaction sees its own writes; others don't before the commit", async () => {
    const seenInside = await db.write(async (tx) => {
      await insert(tx, 'mine', 7)
      const own = await tx.db
        .selectFrom('setup_tokens')
        .select('expires_at')
        .where('token_hash', '=', 'mine')
        .executeTakeFirst()
      return { own: Number(own?.expires_at), others: await rows() }
    })
    expect(seenInside).toEqual({ own: 7, others: new Map() })
    expect(await rows()).toEqual(new Map([['mine', 7]]))
  })

  test('statements that run at once take effect in their order', async () => {
    await db.write(async (tx) => {
      await atOnce([insert(tx, 'a', 1), add(tx, 'a', 10), add(tx, 'a', 100)])
      await add(tx, 'a', 1000)
    })
    expect(await rows()).toEqual(new Map([['a', 1111]]))
  })

  test('one of several statements at once that fails takes all of them back', async () => {
    const failing = db.write((tx) => atOnce([insert(tx, 'a'), insert(tx, 'b'), insert(tx, 'a'), insert(tx, 'c')]))
    await expect(failing).rejects.toThrow(/unique/i)
    expect(await rows()).toEqual(new Map())
    await db.write((tx) => insert(tx, 'a'))
    expect([...(await rows()).keys()]).toEqual(['a'])
  })

  test("the caller gets the transaction's result", async () => {
    for (const value of [undefined, null, 0, '', false, { some: 'thing' }])
      expect(await db.write(async () => value)).toBe(value)
  })
})

describe('many transactions', () => {
  test('100 parallel transactions each run once; every tenth fails and leaves nothing', async () => {
    // All lock one row: on a slow machine more of them wait longer than a lock may take.
    await db.write((tx) => insert(tx, 'sum'))
    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, (_, n) =>
        db.write(async (tx) => {
          await add(tx, 'sum', 1)
          await insert(tx, `tx ${n}`)
          if (n % 10 === 9) throw new Error('every tenth')
          return n
        }),
      ),
    )
    const done = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
    expect(done).toEqual(Array.from({ length: 100 }, (_, n) => n).filter((n) => n % 10 !== 9))
    const kept = await rows()
    expect(kept.get('sum')).toBe(90)
    expect(kept.size).toBe(91)
  })

  test("transactions that start others after they finish don't wait forever", async () => {
    const chain = async (name: string) => {
      for (let n = 0; n < 10; n++) await db.write((tx) => insert(tx, `${name} ${n}`))
    }
    await Promise.all(['a', 'b', 'c', 'd'].map(chain))
    expect((await rows()).size).toBe(40)
  })
})

describe('events', () => {
  test('are delivered after the commit, when listeners can read the change', async () => {
    const heard: Promise<[string, boolean]>[] = []
    db.events.on('told', (name) => heard.push(rows().then((kept) => [name, kept.has(name)])))
    await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        db.write(async (tx) => {
          tx.publish(`told:row ${n}`)
          await insert(tx, `row ${n}`)
        }),
      ),
    )
    const answers = await Promise.all(heard)
    expect(new Set(answers.map(([name]) => name))).toEqual(new Set(Array.from({ length: 20 }, (_, n) => `row ${n}`)))
    expect(answers.filter(([, readable]) => !readable)).toEqual([])
  })

  test('of a failed transaction are not delivered', async () => {
    const told: string[] = []
    db.events.on('failing', (id) => void told.push(id))
    const failing = db.write(async (tx) => {
      tx.publish('failing:announced')
      tx.afterCommit(() => void told.push('effect'))
      await insert(tx, 'x')
      throw new Error('no')
    })
    const working = db.write(async (tx) => {
      tx.publish('failing:but this one works')
      tx.afterCommit(() => void told.push('its effect'))
    })
    await Promise.allSettled([failing, working])
    expect(new Set(told)).toEqual(new Set(['but this one works', 'its effect']))
  })

  test("with failing listeners don't fail the write or other listeners", async () => {
    const told: string[] = []
    db.events.on('half', () => {
      throw new Error('a listener fails')
    })
    const done = await db.write(async (tx) => {
      tx.publish('half:1')
      tx.afterCommit(() => {
        throw new Error('an effect fails')
      })
      tx.afterCommit(() => void told.push('the other effect'))
      return 'kept'
    })
    expect([done, told]).toEqual(['kept', ['the other effect']])
  })

  test('are delivered before the write returns', async () => {
    const told: string[] = []
    db.events.on('answered', (id) => void told.push(id))
    await db.write(async (tx) => tx.publish('answered:1'))
    expect(told).toContain('1')
  })

  test('reach only listeners of their kind; `*` reaches all', () => {
    const told: string[] = []
    db.events.on('one', (id) => void told.push(`one ${id}`))
    db.events.on('two', (id) => void told.push(`two ${id}`))
    db.events.publish('one:a:b')
    db.events.publishReset()
    expect(told).toEqual(['one a:b', 'one *', 'two *'])
  })
})

test('reads cannot write', async () => {
  if (testEngine === 'postgres') return
  await expect(db.read.insertInto('setup_tokens').values({ token_hash: 'x', expires_at: 0 }).execute()).rejects.toThrow(
    /readonly/,
  )
})

describe('events of an app', () => {
  const event = { type: 'test.happened', appId: 'ap_1', ownerId: 'owner', at: 1, target: 'x', details: { n: 1 } }
  const heard: string[] = []
  let fails = false
  let stopListening = () => {}
  beforeAll(() => {
    stopListening = db.onEvent(async (tx, { target }) => {
      if (fails) throw new Error('listener')
      heard.push(target)
      await insert(tx, `heard ${target}`)
    })
  })

  test('reach listeners in the transaction, after its work', async () => {
    await db.write(async (tx) => {
      tx.emit(event)
      await insert(tx, 'cause')
      expect(heard).toEqual([])
    })
    expect(heard).toEqual(['x'])
    expect([...(await rows()).keys()]).toEqual(['cause', 'heard x'])
  })

  test('are rolled back with their cause when a listener fails', async () => {
    fails = true
    const work = db.write(async (tx) => {
      tx.emit(event)
      await insert(tx, 'cause')
    })
    await expect(work).rejects.toThrow('listener')
    fails = false
    expect(await rows()).toEqual(new Map())
  })

  test("of a failed transaction don't reach listeners", async () => {
    const work = db.write(async (tx) => {
      tx.emit({ ...event, target: 'failed' })
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect(heard).not.toContain('failed')
  })

  test("don't reach listeners that were removed", async () => {
    stopListening()
    await db.write(async (tx) => tx.emit({ ...event, target: 'later' }))
    expect(heard).not.toContain('later')
  })
})
