import { expect, test } from 'vitest'
import { appOfAddress, isAppPage, withAppParameter, withoutApp } from './app-address.ts'

test('an address names an app, or none', () => {
  expect(appOfAddress('/a/app_1/licenses?page=2')).toBe('app_1')
  expect(appOfAddress('/a/app_1')).toBe('app_1')
  for (const address of ['/licenses', '/a', '/a/', '/audit', '/x/a/app_1/licenses']) {
    expect(appOfAddress(address), address).toBeUndefined()
  }
})

test('a page has one path, whatever app its address names', () => {
  expect(withoutApp('/a/app_1/licenses')).toBe('/licenses')
  expect(withoutApp('/a/app_1')).toBe('/')
  expect(withoutApp('/licenses')).toBe('/licenses')
})

test('pages of the account have no app in their address', () => {
  expect(['/licenses', '/licenses/', '/dashboard', '/overview'].map(isAppPage)).toEqual([true, true, true, true])
  expect(['/profile', '/audit', '/manage-apps', '/login', '/', '/admin/owners'].some(isAppPage)).toBe(false)
})

test('a redirect keeps the app of an address as a parameter', () => {
  expect(withAppParameter('/a/app_1/licenses?q=x%26y&page=2#top')).toBe('/licenses?q=x%26y&page=2&appId=app_1#top')
  expect(withAppParameter('/a/app_1/users?appId=app_2')).toBe('/users?appId=app_1')
  expect(withAppParameter('/licenses?q=x')).toBe('/licenses?q=x')
})
