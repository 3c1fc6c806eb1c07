import { expect, test } from 'vitest'
import { DatabaseServers } from './database-servers.ts'

const urlsOf = (url: string): string[] => {
  const servers = new DatabaseServers(url)
  return Array.from({ length: servers.count }, () => {
    const { current } = servers
    servers.failed(current)
    return current.url
  })
}

test.each<[string, string[]]>([
  ['postgres://u:p@h1:5432,h2/db', ['postgres://u:p@h1:5432/db', 'postgres://u:p@h2/db']],
  ['postgresql://h1,[::1]:6432', ['postgresql://h1', 'postgresql://[::1]:6432']],
  ['postgres://u:p%2C%40@h/db', ['postgres://u:p%2C%40@h/db']],
  [
    'postgres://u:p,q@h1,h2/db?sslmode=disable',
    ['postgres://u:p,q@h1/db?sslmode=disable', 'postgres://u:p,q@h2/db?sslmode=disable'],
  ],
  ['postgres:///db?host=/run/postgresql', ['postgres:///db?host=/run/postgresql']],
  ['postgres://u@%2Frun%2Fpostgresql/db', ['postgres://u@%2Frun%2Fpostgresql/db']],
])("%s lists the servers in order, in the driver's format", (url, urls) => expect(urlsOf(url)).toEqual(urls))

test.each<[string, string, string]>([
  ['postgres://h/db', 'any', 'postgres://h/db'],
  ['postgres://h,i/db', 'read-write', 'postgres://h/db'],
  ['postgres://h/db?target_session_attrs=primary', 'primary', 'postgres://h/db'],
  ['postgres://h,i/db?a=1&target_session_attrs=any', 'any', 'postgres://h/db?a=1'],
  ['postgres://h,i/db?target_session_attrs=read-write&a=1&b=2', 'read-write', 'postgres://h/db?a=1&b=2'],
])("%s asks for %s, which isn't passed to the driver", (url, attributes, first) => {
  const servers = new DatabaseServers(url)
  expect([servers.attributes, servers.current.url]).toEqual([attributes, first])
})

test.each([
  'mysql://u:canary@h/db',
  'postgres://u:canary@h1,/db',
  'postgres://u:canary@h1,,h2/db',
  'postgres://u:canary@h1:x,h2/db',
  'postgres://u:canary@h1:99999/db',
  'postgres://u:canary@h 1/db',
  'postgres:///db?host=h1,h2&password=canary',
])('%s is rejected with a one-line error, without the password', (url) => {
  expect(() => new DatabaseServers(url)).toThrow(
    /^DATABASE_URL must be an address such as postgres:\/\/user:password@host:5432\/database, with hosts separated by commas$/,
  )
})

test.each(['standby', 'prefer-standby', 'read-only', ''])(
  'target_session_attrs=%s is rejected, because Signet writes',
  (value) =>
    expect(() => new DatabaseServers(`postgres://h/db?target_session_attrs=${value}`)).toThrow(
      'target_session_attrs in DATABASE_URL must be any, read-write or primary',
    ),
)

test('the server that worked last is tried first, and of several failing ones each is tried once', () => {
  const servers = new DatabaseServers('postgres://h1,h2,h3/db')
  const first = servers.current
  expect(servers.isInUse(first)).toBe(true)
  for (let connection = 0; connection < 5; connection++) servers.failed(first)
  const second = servers.current
  expect([first.address, second.address]).toEqual(['h1', 'h2'])
  servers.worked(second)
  expect([servers.isInUse(first), servers.isInUse(second), servers.current.address]).toEqual([false, true, 'h2'])
  servers.failed(second)
  servers.failed(servers.current)
  expect(servers.current.address).toBe('h1')
  // Found out late, by a connection that was on its way.
  servers.failed(second)
  expect(servers.current.address).toBe('h1')
})
