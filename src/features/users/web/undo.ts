import { t } from '@lingui/core/macro'
import { call } from '#web/call.ts'
import { failureText } from '#web/errors.ts'
import { notify } from '#web/notify.ts'
import { type EntitlementState, refreshUsers } from './user-list.ts'

/** Gives a removed subscription back, to the second it would have ended at. */
export async function restoreSubscription(username: string, { level, expiry }: EntitlementState): Promise<void> {
  try {
    await call('POST /user/{username}/subscriptions', { params: { username }, body: { level }, idempotencyKey: true })
    await call('PUT /user/{username}/subscriptions/{id}', { params: { username, id: level }, body: { expiry } })
  } catch (error) {
    notify.error(failureText(error, t`Failed to add subscription`))
  }
  await refreshUsers()
}

/** Writes a deleted variable again. */
export async function restoreVariable(username: string, variableName: string, variableData: string): Promise<void> {
  const body = { username, variableName, variableData }
  await call('POST /user_variables', { body, idempotencyKey: true }).catch((error: unknown) =>
    notify.error(failureText(error, t`Failed to create variable`)),
  )
  await refreshUsers()
}
