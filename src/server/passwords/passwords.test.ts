import { hashSync } from 'bcryptjs'
import { expect, test } from 'vitest'
import { CallError } from '#contract/errors.ts'
import { accountCost, accountHashing, endUserCost, hashingLimits, type HashingUse, userHashing } from './hashing-use.ts'
import { Passwords } from './passwords.ts'
import { hashingThreads } from './thread-pool.ts'

const cheapFor = (use: HashingUse): HashingUse => ({ ...use, cost: { memoryKiB: 8, passes: 1 } })
const cheap = cheapFor(userHashing('an owner'))

test('a password verifies against its own hash only', async () => {
  const passwords = new Passwords()
  const hash = await passwords.hash('Correct7Horse', cheap)
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$[\w-]{22}\$[\w-]{43}$/)
  expect(await passwords.verify('Correct7Horse', hash, accountHashing('a network'))).toBe(true)
  for (const wrong of ['correct7horse', 'Correct7Horse ', '', 'Correct7Horse\0', '\0']) {
    expect(await passwords.verify(wrong, hash, accountHashing('a network'))).toBe(false)
  }
})

test('the same password has a different hash each time', async () => {
  const passwords = new Passwords()
  expect(await passwords.hash('same', cheap)).not.toBe(await passwords.hash('same', cheap))
})

test('uses the specified costs: 64 MiB and 3 passes for accounts, 19 MiB and 2 for end users', () => {
  expect(accountCost).toEqual({ memoryKiB: 65_536, passes: 3 })
  expect(endUserCost).toEqual({ memoryKiB: 19_456, passes: 2 })
})

test('only a complete hash of our own format verifies', async () => {
  const passwords = new Passwords()
  const hash = await passwords.hash('x', cheap)
  for (const broken of [
    null,
    undefined,
    '',
    'x',
    hash.slice(0, 40),
    hash.replace('argon2id', 'argon2i'),
    `${hash}$`,
    ` ${hash}`,
  ]) {
    expect(await passwords.verify('x', broken, cheap), String(broken)).toBe(false)
  }
})

test('without a hash, the same work is done, in turn with other checks (R-AUTH-04)', async () => {
  const passwords = new Passwords()
  // While every place is taken by real work, a check of nobody has to wait like one of somebody.
  const order: string[] = []
  const busy = Array.from({ length: hashingThreads() }, () =>
    passwords.hash('x', userHashing('an owner')).then(() => order.push('busy')),
  )
  const nobody = passwords.verify('x', null, cheap).then((right) => order.push(`nobody ${right}`))
  await Promise.all([...busy, nobody])
  expect(order[0]).toBe('busy')
  expect(order).toContain('nobody false')
})

test('a flood of sign-ins is processed up to the limit, and the rest are rejected at once (R-AUTH-07)', async () => {
  const passwords = new Passwords()
  const places = hashingLimits.maxPerOwner
  const outcomes = await Promise.allSettled(Array.from({ length: places + 20 }, () => passwords.hash('x', cheap)))
  const rejected = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(rejected).toHaveLength(20)
  for (const { reason } of rejected) {
    expect(reason).toBeInstanceOf(CallError)
    expect(reason).toMatchObject({ status: 503, code: 'SERVER_BUSY', details: { retryAfterSeconds: 2 } })
  }
  await expect(passwords.hash('x', cheap)).resolves.toBeDefined()
})

test('a flood of one owner, or of many, takes no place from others (R-AUTH-07)', async () => {
  const passwords = new Passwords()
  const ofOwner = (n: number) => cheapFor(userHashing(`owner ${n}`))
  const flood = (n: number) => Array.from({ length: 100 }, () => passwords.hash('x', ofOwner(n)))
  const first = Promise.allSettled(flood(1))
  const other = passwords.hash('x', ofOwner(2))
  // Imported hashes wait in a queue of their own.
  const imported = passwords.verify('x', null, ofOwner(1), 4)
  const many = Promise.allSettled(Array.from({ length: 300 }, (_, n) => flood(n + 3)).flat())
  const account = passwords.hash('x', cheapFor(accountHashing('a network')))
  await expect(other).resolves.toBeDefined()
  await expect(imported).resolves.toBe(false)
  await expect(account).resolves.toBeDefined()
  const isDone = (outcomes: PromiseSettledResult<string>[]) => outcomes.filter(({ status }) => status === 'fulfilled')
  expect(isDone(await first)).toHaveLength(hashingLimits.maxPerOwner)
  expect(isDone(await many)).toHaveLength(hashingLimits.max - hashingLimits.maxPerOwner - 1)
})

test('owners with imported hashes take turns in their thread, and a full queue of one is no queue of another', async () => {
  const passwords = new Passwords({ memoryKiB: 8, passes: 1 })
  const hash = hashSync('x', 4)
  const order: string[] = []
  const check = async (owner: string) => {
    expect(await passwords.verify('x', hash, userHashing(owner))).toBe(true)
    order.push(owner)
  }
  const flood = Array.from({ length: hashingLimits.maxPerOwner }, () => check('first'))
  await expect(passwords.verify('x', hash, userHashing('first'))).rejects.toMatchObject({ code: 'SERVER_BUSY' })
  await Promise.all([...flood, check('second'), check('third')])
  expect(order.slice(0, 4)).toEqual(['first', 'first', 'second', 'third'])
})

test('a call holds its place until all its work is done, so that it is never rejected in the middle', async () => {
  const passwords = new Passwords({ memoryKiB: 8, passes: 1 })
  const outdated = await new Passwords().hash('x', { ...cheap, cost: { memoryKiB: 16, passes: 1 } })
  const { promise: stored, resolve: store } = Promise.withResolvers<boolean>()
  const checks = Array.from({ length: hashingLimits.maxPerOwner }, () =>
    passwords.verifyAndRenew('x', outdated, { use: cheap, replace: () => stored, read: async () => undefined }),
  )
  await expect(passwords.hash('x', cheap)).rejects.toMatchObject({ code: 'SERVER_BUSY' })
  store(true)
  for (const renewed of await Promise.all(checks)) expect(renewed).toContain('m=8,t=1')
  await expect(passwords.hash('x', cheap)).resolves.toBeDefined()
})
