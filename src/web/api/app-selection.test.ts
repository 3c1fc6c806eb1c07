import { expect, test } from 'vitest'
import { recallSelectedApp, rememberSelectedApp, selectedAppStore } from './app-selection.ts'

const app = { appId: 'app_1', appName: 'One' }

// Vitest has no local storage, like a browser that blocks it, or in which another tab has forgotten its app.
test('a tab keeps its app where nothing is remembered, but not for another user', () => {
  rememberSelectedApp('ana', app)
  recallSelectedApp('ana')
  expect(selectedAppStore.get()).toEqual(app)
  recallSelectedApp('bea')
  expect(selectedAppStore.get()).toBeUndefined()
})
