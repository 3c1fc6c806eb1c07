import { i18n } from '@lingui/core'
import { beforeAll, expect, test } from 'vitest'
import type { StatusState } from '#contract/status-parts.ts'
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
