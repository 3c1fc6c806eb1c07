import { afterEach, expect, test, vi } from 'vitest'
import { forgetDrafts, formDraft } from './form-drafts.ts'

afterEach(() => vi.unstubAllGlobals())

test('what is typed is forgotten with the session, and the browser no longer asks about it', () => {
  const listeners = new Set<unknown>()
  vi.stubGlobal('window', {
    addEventListener: (_: string, listener: unknown) => listeners.add(listener),
    removeEventListener: (_: string, listener: unknown) => listeners.delete(listener),
  })
  const draft = formDraft<{ name: string }>('profile', 'ana')
  draft.set({ edits: { name: 'Ana' }, before: { name: '' } })
  expect(listeners.size).toBe(1)
  forgetDrafts()
  expect(draft.get().edits).toEqual({})
  expect(listeners.size).toBe(0)
})
