import { afterEach, expect, test, vi } from 'vitest'
import { selectedAppStore } from './app-selection.ts'
import { call } from './call.ts'
import { reauthPrompt } from './reauth.ts'

afterEach(() => {
  selectedAppStore.set(undefined)
  vi.unstubAllGlobals()
})

test('a call that waited for a password goes to the app for which it was made', async () => {
  vi.stubGlobal('document', { querySelector: () => null })
  const apps: (string | null)[] = []
  const replies = [
    Response.json({ success: false, code: 'REAUTH_REQUIRED' }, { status: 401 }),
    Response.json({ success: true }),
  ]
  selectedAppStore.set({ appId: 'ap_first', appName: 'First' })
  const answer = call('GET /apps', {
    transport: async (_url, { headers }) => {
      apps.push(new Headers(headers).get('X-App-Id'))
      return replies.shift() as Response
    },
  })
  await expect.poll(() => reauthPrompt.question.get()).toBeTruthy()
  selectedAppStore.set({ appId: 'ap_other', appName: 'Other' })
  reauthPrompt.answer(true)
  await answer
  expect(apps).toEqual(['ap_first', 'ap_first'])
})
