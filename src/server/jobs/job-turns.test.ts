import { expect, test } from 'vitest'
import { OwnerTurns } from './job-turns.ts'

test("an owner keeps a process's open half only while the last job succeeded", () => {
  const turns = new OwnerTurns({ maxPerOwner: 10, maxUnproven: 1 })
  const isNext = () => turns.take([{ owner: 'a', lane: 'a' }]) !== undefined
  turns.begin('a')('done')
  const end = turns.begin('hangs')
  expect(isNext()).toBe(true)
  turns.begin('a')('postponed')
  expect(isNext()).toBe(true)
  turns.begin('a')('failed')
  expect(isNext()).toBe(false)
  end('done')
  expect(isNext()).toBe(true)
})
