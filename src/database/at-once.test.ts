import { globSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { atOnce } from './at-once.ts'

test('resolves with the results in the order of the parts', async () => {
  expect(await atOnce([wait(5).then(() => 1), 'two', undefined])).toEqual([1, 'two', undefined])
})

test('waits for every part before it rejects, with the error of the first part that failed', async () => {
  const ended: string[] = []
  const part = async (name: string, fails: boolean) => {
    await wait(name === 'slow' ? 20 : 1)
    ended.push(name)
    if (fails) throw new Error(name)
  }
  await expect(atOnce([part('slow', true), part('fast', true), part('good', false)])).rejects.toThrow('slow')
  expect(ended.toSorted()).toEqual(['fast', 'good', 'slow'])
})

test('actions and writes use it instead of Promise.all, whose parts could write after a rollback', () => {
  const files = globSync('src/features/**/*.{actions,writes}.ts')
  expect(files.length).toBeGreaterThan(20)
  expect(files.filter((file) => readFileSync(file, 'utf8').includes('Promise.all('))).toEqual([])
})
