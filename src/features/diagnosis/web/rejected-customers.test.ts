import { expect, test } from 'vitest'
import { rejectedCustomers } from './rejected-customers.ts'

const rejection = (credential: string, code: string, timestamp: number, license = '') =>
  ({ credential, code, timestamp, license }) as Parameters<typeof rejectedCustomers>[0][number]

test('each customer is named once, with the last reason and the number of rejections', () => {
  const rejections = [
    rejection('marta', 'USER_BANNED', 50),
    rejection('KEY-1', 'LICENSE_BANNED', 40, 'KEY-1'),
    rejection('marta', 'HWID_MISMATCH', 30),
    rejection('Marta', 'HWID_MISMATCH', 20),
  ]
  expect(rejectedCustomers(rejections)).toEqual([
    { name: 'marta', isLicense: false, code: 'USER_BANNED', at: 50, times: 2 },
    { name: 'KEY-1', isLicense: true, code: 'LICENSE_BANNED', at: 40, times: 1 },
    { name: 'Marta', isLicense: false, code: 'HWID_MISMATCH', at: 20, times: 1 },
  ])
})
