import { expect, test } from 'vitest'
import { type License, type LicenseList, withBan } from './licenses-data.ts'

const license = (key: string, change: Partial<License>) =>
  ({ license: key, used: false, banned: false, ...change }) as License

const list: LicenseList = {
  success: true,
  licenses: [license('A', { used: true }), license('B', { used: true, banned: true }), license('C', {})],
  counts: { total: 3, unused: 1, used: 1, banned: 1, expiring: 0 },
  total: 3,
  totalPages: 1,
}

test('a ban moves one license between the counts and leaves the other rows as they are', () => {
  const after = withBan(list, 'A', true)
  expect(after.licenses[0]).toEqual(license('A', { used: true, banned: true }))
  expect(after.counts).toEqual({ total: 3, unused: 1, used: 0, banned: 2, expiring: 0 })
  expect(after.licenses[2]).toBe(list.licenses[2])
})

test('an unban gives the state back that the license had', () => {
  expect(withBan(list, 'B', false).counts).toEqual({ total: 3, unused: 1, used: 2, banned: 0, expiring: 0 })
  expect(withBan(withBan(list, 'C', true), 'C', false)).toEqual(list)
})

test('nothing changes where the license is not shown or is so already', () => {
  expect(withBan(list, 'Z', true)).toBe(list)
  expect(withBan(list, 'B', true)).toBe(list)
})

test('the licenses of a user in the panel follow too', () => {
  const ofUser = { rows: list.licenses, total: 3 }
  expect(withBan(ofUser, 'C', true).rows[2]).toEqual(license('C', { banned: true }))
})
