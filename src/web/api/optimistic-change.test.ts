import { i18n } from '@lingui/core'
import { beforeAll, expect, test } from 'vitest'
import { notificationStore } from '../browser/notify.ts'
import { CallFailed } from './call-failed.ts'
import { changeAtOnce, showAtOnce, withFields } from './optimistic-change.ts'
import { queryClient } from './query-client.ts'

/** Changes that the screen shows before the server has answered. */

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }))

interface Row {
  id: string
  on: boolean
  name: string
}

/** A list of one row, as the screen and as the server have it; each change waits for its answer. */
function newList(name: string) {
  const queryKey = ['optimistic', name]
  const stored: Row = { id: 'a', on: false, name: 'Basic' }
  const answers: { accept: () => void; reject: () => void }[] = []
  queryClient.setQueryData(queryKey, { rows: [{ ...stored }, { id: 'b', on: false, name: 'Pro' }], total: 2 })
  const isRow = (row: Partial<Row>) => row.id === 'a'
  const change = (on: boolean, refresh: () => Promise<unknown> = async () => undefined) => ({
    id: 'a',
    queryKeys: [queryKey],
    show: withFields<Row>(isRow, { on }),
    takeBack: withFields<Row>(isRow, { on: !on }),
    send: () =>
      new Promise<string>((resolve, reject) =>
        answers.push({
          accept: () => {
            stored.on = on
            resolve(on ? 'on' : 'off')
          },
          reject: () => reject(new CallFailed(0, {})),
        }),
      ),
    refresh,
  })
  const shown = () => queryClient.getQueryData<{ rows: Row[] }>(queryKey)?.rows
  const answer = async (n: number) => {
    await expect.poll(() => answers.length).toBeGreaterThan(n)
    return answers[n]!
  }
  return { queryKey, stored, change, answers, answer, isOn: () => shown()?.[0]?.on, shown }
}

test('a change is shown before the answer, and says that it is done only after it', async () => {
  const { change, answer, isOn, shown } = newList('shown')
  const other = shown()?.[1]
  const said: string[] = []
  const done = changeAtOnce({ ...change(true), onDone: (reply) => said.push(reply), failure: 'Failed to switch' })
  expect(isOn()).toBe(true)
  expect(shown()?.[1]).toBe(other)
  const { accept } = await answer(0)
  expect(said).toEqual([])
  accept()
  expect(await done).toBe(true)
  expect(said).toEqual(['on'])
  expect(isOn()).toBe(true)
})

test('a change that fails is taken back, says why, and can be tried again', async () => {
  const { queryKey, change, answer, isOn, shown } = newList('failed')
  notificationStore.set([])
  const said: string[] = []
  const done = changeAtOnce({ ...change(true), onDone: (reply) => said.push(reply), failure: 'Failed to switch' })
  // Somebody else renames it meanwhile.
  queryClient.setQueryData(queryKey, { rows: shown()?.map((row) => ({ ...row, name: 'Renamed' })) })
  ;(await answer(0)).reject()
  expect(await done).toBe(false)
  expect(shown()?.[0]).toEqual({ id: 'a', on: false, name: 'Renamed' })
  const [toast] = notificationStore.get()
  expect(toast).toMatchObject({ message: 'Failed to switch', type: 'error', action: { label: 'Retry' } })
  expect(said).toEqual([])
  toast?.action?.onAction()
  expect(isOn()).toBe(true)
  ;(await answer(1)).accept()
  await expect.poll(() => said).toEqual(['on'])
})

test('two quick changes are sent one after the other and end in the last state', async () => {
  const { stored, change, answers, answer, isOn } = newList('quick')
  const first = showAtOnce(change(true))
  const second = showAtOnce(change(false))
  expect(isOn()).toBe(false)
  const { accept } = await answer(0)
  expect(answers).toHaveLength(1)
  accept()
  await first
  expect(isOn()).toBe(false)
  ;(await answer(1)).accept()
  await second
  expect([isOn(), stored.on]).toEqual([false, false])
})

test.each([
  ['the first', [false, true], false],
  ['the second', [true, false], true],
  ['both', [false, false], false],
] as const)('if %s of two quick changes fails, the screen shows what is stored', async (name, accepted, expected) => {
  const { stored, change, answer, isOn } = newList(name)
  const all = [showAtOnce(change(true)), showAtOnce(change(false))].map((each) => each.catch(() => 'failed'))
  for (const [n, isAccepted] of accepted.entries()) {
    const { accept, reject } = await answer(n)
    if (isAccepted) accept()
    else reject()
    await all[n]
  }
  expect([isOn(), stored.on]).toEqual([expected, expected])
})

test('a reply that was read before the change does not show the former state again', async () => {
  const { queryKey, change, answer, isOn, shown } = newList('overtaken')
  const old = { rows: shown()! }
  const done = showAtOnce(change(true))
  const { accept } = await answer(0)
  await queryClient.fetchQuery({ queryKey, queryFn: async () => structuredClone(old), staleTime: 0 })
  expect(isOn()).toBe(true)
  accept()
  await done
})
