import { t } from '@lingui/core/macro'
import { call } from '#web/api/call.ts'
import { queryClient } from '#web/api/query-client.ts'
import type { App } from '#web/session/session.ts'
import { defaultDurationDays } from '#features/licenses/licenses.rules.ts'
import { licenseList } from '#features/licenses/web/licenses-data.ts'
import { refreshSubscriptions } from '#features/subscriptions/web/subscriptions-data.ts'
import { refreshFirstRun, testKeyKey, testMask } from './first-run-data.ts'

/** The level that a test key grants: the first active one. An app that has none gets one. */
async function testLevel(appId: string): Promise<number> {
  const { subscriptions } = await call('GET /subscriptions', { appId })
  const found = subscriptions.find(({ active }) => active) ?? subscriptions[0]
  if (found) return found.level
  const level = 1
  await call('POST /create_subscription', { body: { level, name: 'Basic', active: true }, appId })
  void refreshSubscriptions()
  return level
}

/** Creates a test key, which the same idempotency key does once. */
export async function createTestKey({ appId }: App, idempotencyKey: string): Promise<void> {
  const body = {
    amount: 1,
    mask: testMask,
    uppercase: true,
    lowercase: false,
    subscription: await testLevel(appId),
    expiryUnit: 'days' as const,
    duration: defaultDurationDays,
    notes: t`Test key`,
  }
  const { keys } = await call('POST /create_licenses', { body, appId, idempotencyKey })
  queryClient.setQueryData(testKeyKey(appId), keys[0] ?? null)
  void refreshFirstRun()
  void licenseList.refresh()
}
