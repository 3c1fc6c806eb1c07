import { expect, test } from 'vitest'
import { appVersion } from '#web/api/app-selection.ts'
import type { ListRequest } from '#web/list/list-request.ts'
import type { App } from '#web/session/session.ts'
import { appStatus, arrangeApps } from './arrange-apps.ts'

const app = (appName: string, creationDate: number, appStatus: boolean, description = '') =>
  ({ appId: appName, appName, creationDate, description, version: '1.0.0', settings: { appStatus } }) as unknown as App
const apps = [app('Prism', 1, true), app('atlas', 3, false, 'maps'), app('Orbit', 2, true)]
const all = { search: '', filters: {}, sort: undefined, page: 1, limit: 10 }
const names = (wanted: Partial<ListRequest>) => arrangeApps(apps, { ...all, ...wanted }).map(({ appName }) => appName)

test('searches name, version and description, filters by status, and keeps the order of the server', () => {
  expect(names({})).toEqual(['Prism', 'atlas', 'Orbit'])
  expect(names({ search: ' MAPS ' })).toEqual(['atlas'])
  expect(names({ filters: { status: 'enabled' } })).toEqual(['Prism', 'Orbit'])
  expect(names({ search: 'nothing' })).toEqual([])
})

test('an app without a version shows that of its settings, then 1.0.0, and is found by it (R093)', () => {
  const [bare] = apps.map((each) => ({ ...each, version: '' }))
  expect(appVersion(apps[0])).toBe('1.0.0')
  expect(appVersion({ ...bare, settings: { version: '2.5' } })).toBe('2.5')
  expect(appVersion(bare)).toBe('1.0.0')
  expect(arrangeApps([bare!], { ...all, search: '1.0.0' })).toEqual([bare])
})

test('sorts by name without regard to case, and by date downwards', () => {
  expect(names({ sort: { id: 'name', descending: false } })).toEqual(['atlas', 'Orbit', 'Prism'])
  expect(names({ sort: { id: 'created', descending: true } })).toEqual(['atlas', 'Orbit', 'Prism'])
})

test('a status that the reply does not have is unknown', () => {
  expect(appStatus({})).toBe('unknown')
  expect(appStatus({ settings: {} })).toBe('unknown')
  expect(appStatus({ settings: { appStatus: false } })).toBe('disabled')
})
