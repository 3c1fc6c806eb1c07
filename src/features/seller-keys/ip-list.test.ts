import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isIpAllowed, normalizeIpEntry } from './ip-list.ts'

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7/32', '203.0.113.7'],
  ['10.1.2.3/8', '10.0.0.0/8'],
  ['1.2.3.4/0', '0.0.0.0/0'],
  ['::ffff:1.2.3.4', '1.2.3.4'],
  ['::ffff:1.2.3.4/120', '1.2.3.0/24'],
  ['2001:0DB8::0001', '2001:db8::1'],
  ['2001:db8::1/32', '2001:db8::/32'],
  ['::1/128', '::1'],
])('%s is kept as %s', (entry, kept) => {
  expect(normalizeIpEntry(entry)).toBe(kept)
  expect(normalizeIpEntry(kept)).toBe(kept)
})

const noAddresses = `
  1 1.2.3 1.2.3.4.5 256.1.1.1 010.0.0.1 0x7f.0.0.1 1.2.3.4/33 1.2.3.4/ 1.2.3.4/08 1.2.3.4/8/8 1.2.3.4/-1 1.2.3.4/1.5
  ::1/129 fe80::1%eth0 1.2.3.4:80 [::1] localhost * 1.2.3.* 1.2.3.4-1.2.3.9 /8 ::/129 :::: 1.2.3.4\u0660
`

test.each(['', ...noAddresses.trim().split(/\s+/)])('%j is no address', (entry) =>
  expect(normalizeIpEntry(entry)).toBeUndefined(),
)

describe('who may call', () => {
  test('everybody with an empty list', () => expect(isIpAllowed([], '198.51.100.1')).toBe(true))

  test.each([
    [['203.0.113.7'], '203.0.113.7', true],
    [['203.0.113.7'], '::ffff:203.0.113.7', true],
    [['203.0.113.7'], '203.0.113.8', false],
    [['10.0.0.0/8'], '10.255.255.255', true],
    [['10.0.0.0/8'], '11.0.0.0', false],
    [['0.0.0.0/0'], '2001:db8::1', false],
    [['::/0'], '203.0.113.7', false],
    [['2001:db8::/32'], '2001:db8:ffff::1', true],
    [['2001:db8::/32'], '2001:db9::1', false],
    [['192.0.2.1', '2001:db8::1'], '2001:db8::1', true],
    [['192.0.2.1'], '', false],
    [['192.0.2.1'], 'unix', false],
  ])('%j lets %s in: %s', (list, ip, allowed) => expect(isIpAllowed(list, ip)).toBe(allowed))

  test('exactly those whose first bits are the network’s', () => {
    const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255))
    const bitsOf = (ip: number[]) => ip.map((octet) => octet.toString(2).padStart(8, '0')).join('')
    fc.assert(
      fc.property(octets, octets, fc.integer({ min: 0, max: 32 }), (network, caller, length) => {
        const entry = normalizeIpEntry(`${network.join('.')}/${length}`) as string
        const expected = bitsOf(network).slice(0, length) === bitsOf(caller).slice(0, length)
        expect(isIpAllowed([entry], caller.join('.'))).toBe(expected)
        expect(isIpAllowed([entry], `::ffff:${caller.join('.')}`)).toBe(expected)
      }),
    )
  })
})
