import { i18n } from '@lingui/core'
import { beforeAll, expect, test } from 'vitest'
import type { MissingItem, StatusState } from '#contract/status-parts.ts'
import { partText, stateName } from './status-labels.ts'

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }))

const queue = (state: StatusState) => `${stateName(state)}: ${partText({ part: 'queue', state, overdueQueues: 2 })}`

test('queues are said to be delayed only where background work is not operational', () => {
  expect((['ok', 'degraded', 'down'] as const).map(queue)).toEqual([
    'Operational: No delays',
    'Degraded: 2 queues are delayed',
    'Outage: 2 queues are delayed',
  ])
})

test('IP data without any file is not set up, unless settings name files, which are then missing', () => {
  const text = (...missing: MissingItem[]) => partText({ part: 'ip-data', state: 'off', missing })
  expect(text()).toBe('Not set up')
  expect(text('country-file')).toBe('The country file is missing')
  expect(text('vpn-file')).toBe('The VPN file is missing')
  expect(text('country-file', 'vpn-file')).toBe('The country file and the VPN file are missing')
})
