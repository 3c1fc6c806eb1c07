import { afterEach, expect, test, vi } from 'vitest'
import { forgetApp, rememberSelectedApp, selectedAppStore } from '../api/app-selection.ts'
import { isChoosingApp, selectApp } from './account-calls.ts'
import type { Account } from './session.ts'

const owner = { id: 'ana', ownerid: 'ana' } as Account
const [one, two, three] = ['One', 'Two', 'Three'].map((appName) => ({ appId: `ap_${appName}`, appName }))

afterEach(() => {
  selectedAppStore.set(undefined)
  vi.unstubAllGlobals()
})

/** Each call waits for its answer. */
function holdAnswers() {
  const held = new Map<string, (status?: number) => void>()
  vi.stubGlobal('document', { querySelector: () => null, documentElement: { lang: 'en' } })
  vi.stubGlobal('fetch', (url: string, { body }: RequestInit = {}) => {
    if (body === undefined)
      return Promise.resolve(Response.json({ success: true }, { headers: { 'X-CSRF-Token': 't' } }))
    const { appName } = JSON.parse(String(body)) as { appName: string }
    expect(url).toMatch(/select_app$/)
    return new Promise((resolve) =>
      held.set(appName, (status = 200) => resolve(Response.json({ success: status === 200 }, { status }))),
    )
  })
  return async (app: { appName: string } | undefined) => {
    const name = app?.appName ?? ''
    await expect.poll(() => held.has(name)).toBe(true)
    return held.get(name)!
  }
}

test('of two quick choices of an app, the last one counts, whichever is answered first', async () => {
  const answer = holdAnswers()
  const first = selectApp(owner, two!)
  const second = selectApp(owner, three!)
  ;(await answer(three))()
  expect(await second).toBe(true)
  ;(await answer(two))()
  expect(await first).toBe(false)
  expect(selectedAppStore.get()).toEqual(three)
})

test('a choice that is rejected after another one was made does not fail', async () => {
  const answer = holdAnswers()
  const rejected = selectApp(owner, two!)
  const last = selectApp(owner, three!)
  ;(await answer(two))(404)
  expect(await rejected).toBe(false)
  ;(await answer(three))()
  expect(await last).toBe(true)
  expect(selectedAppStore.get()).toEqual(three)
})

test('a choice is pending until it is answered or rejected', async () => {
  const answer = holdAnswers()
  expect(isChoosingApp()).toBe(false)
  const choices = [two!, three!].map((app) => selectApp(owner, app))
  for (const app of [two, three]) {
    expect(isChoosingApp()).toBe(true)
    ;(await answer(app))(app === two ? 404 : 200)
    await choices[app === two ? 0 : 1]
  }
  expect(isChoosingApp()).toBe(false)
})

test('a choice does not win over an app that was linked to or made before its answer', async () => {
  const answer = holdAnswers()
  rememberSelectedApp(owner.ownerid, one!)
  const choice = selectApp(owner, two!)
  rememberSelectedApp(owner.ownerid, three!)
  ;(await answer(two))()
  expect(await choice).toBe(false)
  expect(selectedAppStore.get()).toEqual(three)
})

test('a choice wins although the app before was deleted meanwhile', async () => {
  const answer = holdAnswers()
  rememberSelectedApp(owner.ownerid, one!)
  const choice = selectApp(owner, two!)
  forgetApp(one!.appId)
  ;(await answer(two))()
  expect(await choice).toBe(true)
  expect(selectedAppStore.get()).toEqual(two)
})
