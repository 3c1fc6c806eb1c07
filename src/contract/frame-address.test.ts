import { expect, test } from 'vitest'
import { frameAddressFault } from './frame-address.ts'

const surroundings = { publicUrl: 'https://signet.test', enforceHTTPS: true }

test.each([
  ['javascript:alert(1)', 'STATUS_PAGE_INVALID'],
  ['JaVaScRiPt:alert(1)', 'STATUS_PAGE_INVALID'],
  [' javascript:alert(1)', 'STATUS_PAGE_INVALID'],
  ['java\nscript:alert(1)', 'STATUS_PAGE_INVALID'],
  ['data:text/html,<script>alert(1)</script>', 'STATUS_PAGE_INVALID'],
  ['blob:https://signet.test/1', 'STATUS_PAGE_INVALID'],
  ['about:blank', 'STATUS_PAGE_INVALID'],
  ['file:///etc/passwd', 'STATUS_PAGE_INVALID'],
  ['//status.example', 'STATUS_PAGE_INVALID'],
  ['/status', 'STATUS_PAGE_INVALID'],
  ['status.example', 'STATUS_PAGE_INVALID'],
  ['https://', 'STATUS_PAGE_INVALID'],
  ['https:status.example', 'STATUS_PAGE_INVALID'],
  ['https://status.example\\@signet.test', 'STATUS_PAGE_INVALID'],
  ['https://status.example/ frame', 'STATUS_PAGE_INVALID'],
  ["https://*/'", 'STATUS_PAGE_INVALID'],
  ['https://*.example', 'STATUS_PAGE_INVALID'],
  ["https://a;script-src'unsafe-inline'/", 'STATUS_PAGE_INVALID'],
  ['https://a,b.example/', 'STATUS_PAGE_INVALID'],
  ["https://'none'/", 'STATUS_PAGE_INVALID'],
  ['https://somebody@status.example', 'STATUS_PAGE_CREDENTIALS'],
  ['https://somebody:secret@status.example', 'STATUS_PAGE_CREDENTIALS'],
  ['https://signet.test@status.example', 'STATUS_PAGE_CREDENTIALS'],
  ['https://signet.test', 'STATUS_PAGE_OWN'],
  ['https://SIGNET.test:443/status', 'STATUS_PAGE_OWN'],
  ['https://signet.test./', 'STATUS_PAGE_OWN'],
  ['http://signet.test/', 'STATUS_PAGE_OWN'],
  ['http://status.example', 'STATUS_PAGE_HTTP'],
])('%j is rejected: %s', (address, fault) => {
  expect(frameAddressFault(address, surroundings)).toBe(fault)
})

test.each(['', 'https://status.example', 'https://status.example:8443/board?theme=dark#now', 'https://[2001:db8::1]/'])(
  '%j is a page that may be framed',
  (address) => {
    expect(frameAddressFault(address, surroundings)).toBeUndefined()
  },
)

test('an address of another port is another page, and http is one where HTTPS is not enforced', () => {
  expect(frameAddressFault('https://signet.test:3001', surroundings)).toBeUndefined()
  expect(frameAddressFault('http://status.example', { ...surroundings, enforceHTTPS: false })).toBeUndefined()
})
