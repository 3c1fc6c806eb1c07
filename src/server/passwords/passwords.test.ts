import { expect, test } from 'vitest'
import { CallError } from '#contract/errors.ts'
import { accountCost, endUserCost, Passwords } from './passwords.ts'
import { hashingThreads } from './thread-pool.ts'

const cheap = { memoryKiB: 8, passes: 1 }

test('a password verifies against its own hash only', async () => {
  const passwords = new Passwords()
  const hash = await passwords.hash('Correct7Horse', cheap)
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$[\w-]{22}\$[\w-]{43}$/)
  expect(await passwords.verify('Correct7Horse', hash, accountCost)).toBe(true)
  for (const wrong of ['correct7horse', 'Correct7Horse ', '', 'Correct7Horse\0', '\0']) {
    expect(await passwords.verify(wrong, hash, accountCost)).toBe(false)
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
    passwords.hash('x', endUserCost).then(() => order.push('busy')),
  )
  const nobody = passwords.verify('x', null, cheap).then((right) => order.push(`nobody ${right}`))
  await Promise.all([...busy, nobody])
  expect(order[0]).toBe('busy')
  expect(order).toContain('nobody false')
})

test('a flood of sign-ins is processed up to the limit, and the rest are rejected at once (R-AUTH-07)', async () => {
  const passwords = new Passwords()
  const places = hashingThreads() + 64
  const outcomes = await Promise.allSettled(Array.from({ length: places + 20 }, () => passwords.hash('x', cheap)))
  const rejected = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(rejected).toHaveLength(20)
  for (const { reason } of rejected) {
    expect(reason).toBeInstanceOf(CallError)
    expect(reason).toMatchObject({ status: 503, code: 'SERVER_BUSY', details: { retryAfterSeconds: 2 } })
  }
  await expect(passwords.hash('x', cheap)).resolves.toBeDefined()
})
