import { expect, test } from 'vitest'
import { readTableParams, toggled } from './table-params.ts'

const options = { filters: { status: ['used', 'unused'], level: 'text' as const }, sorts: ['created'] }

test('reads the state from a link', () => {
  const params = { q: 'marta', page: '3', limit: '50', sort: '-created', 'f.status': 'used', 'f.level': '7' }
  expect(readTableParams(params, options)).toEqual({
    search: 'marta',
    page: 3,
    limit: 50,
    sort: { id: 'created', descending: true },
    filters: { status: 'used', level: '7' },
    countAll: false,
  })
  expect(readTableParams({ count: 'all' }, options).countAll).toBe(true)
})

test.each([
  ['page', '0'],
  ['page', '-2'],
  ['page', '1.5'],
  ['page', '1e9'],
  ['page', 'two'],
  ['limit', '11'],
  ['limit', '100000'],
  ['sort', 'password'],
  ['f.status', 'evil'],
  ['f.other', 'used'],
  ['count', 'everything'],
])('%s=%s falls back to the default', (name, value) => {
  expect(readTableParams({ [name]: value }, options)).toEqual(readTableParams({}, options))
})

test('a table can have another default page size', () => {
  expect(readTableParams({ limit: '7' }, { defaultLimit: 50 }).limit).toBe(50)
})

const several = { filters: { status: ['used', 'unused', 'banned'], kind: ['one', 'two'] }, several: ['status'] }

test.each([
  ['used', { status: 'used' }],
  ['banned,used', { status: 'used,banned' }],
  ['used,evil,used', { status: 'used' }],
  ['evil,', {}],
])('f.status=%s gives the known values in the order in which they are offered', (status, filters) => {
  expect(readTableParams({ 'f.status': status }, several).filters).toEqual(filters)
})

test('a filter of one value takes no list', () => {
  expect(readTableParams({ 'f.kind': 'one,two' }, several).filters).toEqual({})
})

test('a value is added to a filter, and removed when it is there', () => {
  const offered = ['used', 'unused', 'banned']
  expect(toggled(undefined, 'banned', offered)).toBe('banned')
  expect(toggled('banned', 'used', offered)).toBe('used,banned')
  expect(toggled('used,banned', 'used', offered)).toBe('banned')
  expect(toggled('banned', 'banned', offered)).toBeUndefined()
  expect(toggled('12', '2', [])).toBe('12,2')
})
