import { expect, test } from 'vitest'
import { isTimeZone } from './time-zone.ts'

test('every zone that the engine lists is one, and so are names that other engines list', () => {
  for (const zone of [...Intl.supportedValuesOf('timeZone'), 'UTC', 'Asia/Kolkata', 'Europe/Kyiv', 'Etc/GMT+3']) {
    expect(isTimeZone(zone), zone).toBe(true)
  }
})

test.each([
  '',
  ' ',
  'Mars/Olympus_Mons',
  'America',
  'America/',
  'America/Sao Paulo',
  ' America/Sao_Paulo',
  'america/sao_paulo',
  'utc',
  '+03:00',
  '-0300',
  'Z',
  'GMT+3',
  '../../etc/passwd',
  'America/Sao_Paulo\0',
  'America/Sao_Paulo\n',
  `Europe/${'a'.repeat(1_000_000)}`,
])('%.40j is no zone', (name) => {
  expect(isTimeZone(name)).toBe(false)
})
