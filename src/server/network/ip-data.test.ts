import fs, { mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { countryFile } from '#testing/country-file.ts'
import { IpData } from './ip-data.ts'

let folder: string
let now: number
let errors: unknown[]
let data: IpData

const day = 86_400
const start = 1_800_000_000

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'signet-ip-'))
  now = start
  errors = []
  data = new IpData(
    { countryFile: join(folder, 'country.mmdb'), vpnFile: join(folder, 'vpn.txt') },
    { clock: () => now * 1000, onError: (error) => errors.push(error) },
  )
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function put(name: string, content: string | Buffer, at = now) {
  writeFileSync(join(folder, name), content)
  utimesSync(join(folder, name), at, at)
  // Files are looked at again every ten seconds.
  now += 11
}

test('without files, countries and VPNs are unknown, and the status says so', () => {
  expect(data.countryOf('203.0.113.7')).toBe('')
  expect(data.isVpn('203.0.113.7')).toBeUndefined()
  expect(data.status()).toEqual({ country: 'absent', vpn: 'absent', countryFrom: null, vpnFrom: null })
})

test('countries come from the file, also for an IPv4 address received over IPv6', () => {
  put('country.mmdb', countryFile({ '203.0.113.0/24': 'BR', '198.51.100.128/25': 'DE' }, start))
  expect(['203.0.113.7', '198.51.100.200', '::ffff:203.0.113.7'].map((ip) => data.countryOf(ip))).toEqual([
    'BR',
    'DE',
    'BR',
  ])
  for (const ip of ['198.51.100.1', '::1', '', 'not an address']) expect(data.countryOf(ip), ip).toBe('')
})

test('VPN networks come from the list, for both address families, whatever else it contains', () => {
  put('vpn.txt', '# networks\r\n203.0.113.0/24 # one\n\n198.51.100.9\n2001:db8::/33\nno network\n10.0.0.0/99\n')
  for (const ip of ['203.0.113.0', '203.0.113.255', '198.51.100.9', '::ffff:203.0.113.7', '2001:db8:7fff::1']) {
    expect(data.isVpn(ip), ip).toBe(true)
  }
  for (const ip of ['203.0.114.0', '198.51.100.8', '2001:db8:8000::1', '10.0.0.1', 'x']) {
    expect(data.isVpn(ip), ip).toBe(false)
  }
})

test('data older than 90 days is used and reported as out of date', () => {
  put('country.mmdb', countryFile({ '203.0.113.0/24': 'BR' }, start - 91 * day))
  put('vpn.txt', '203.0.113.0/24', start - 89 * day)
  expect(data.status()).toMatchObject({ country: 'outdated', vpn: 'present' })
  expect(data.countryOf('203.0.113.7')).toBe('BR')
  now += 2 * day
  expect(data.status()).toMatchObject({ vpn: 'outdated' })
})

test('a replaced file is read again; a broken one is reported and the previous one stays in use', () => {
  put('country.mmdb', countryFile({ '203.0.113.0/24': 'BR' }, start))
  expect(data.countryOf('203.0.113.7')).toBe('BR')
  put('country.mmdb', countryFile({ '203.0.113.0/24': 'PT' }, start))
  expect(data.countryOf('203.0.113.7')).toBe('PT')
  put('country.mmdb', 'half a file')
  expect(data.countryOf('203.0.113.7')).toBe('PT')
  expect(errors).toHaveLength(1)
  rmSync(join(folder, 'country.mmdb'))
  now += 11
  expect(data.status().country).toBe('absent')
})

test('a file that cannot even be looked at is reported, and fails no sign-in', () => {
  put('country.mmdb', countryFile({ '203.0.113.0/24': 'BR' }, start))
  expect(data.countryOf('203.0.113.7')).toBe('BR')
  rmSync(join(folder, 'country.mmdb'))
  symlinkSync('country.mmdb', join(folder, 'country.mmdb'))
  now += 11
  expect(data.countryOf('203.0.113.7')).toBe('BR')
  expect(errors).toEqual([expect.objectContaining({ code: 'ELOOP' })])
})

test('a file that cannot be read is reported once, and read as soon as it can be', () => {
  const { readFileSync } = fs
  put('country.mmdb', countryFile({ '203.0.113.0/24': 'BR' }, start))
  try {
    fs.readFileSync = () => {
      throw Object.assign(new Error('EACCES: permission denied, open'), { code: 'EACCES' })
    }
    syncBuiltinESMExports()
    for (let n = 0; n < 3; n++, now += 11) expect(data.countryOf('203.0.113.7')).toBe('')
  } finally {
    Object.assign(fs, { readFileSync })
    syncBuiltinESMExports()
  }
  expect(data.countryOf('203.0.113.7')).toBe('BR')
  expect(errors).toEqual([expect.objectContaining({ code: 'EACCES' })])
})
