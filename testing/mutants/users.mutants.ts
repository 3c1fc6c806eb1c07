import type { Mutant } from './mutant.ts'

const users = 'src/features/users'
const entitlements = 'src/features/entitlements'

/** End users and what they may use. */
export const userMutants: readonly Mutant[] = [
  {
    guarantee: 'time that two licenses give adds up (R-LIC-02)',
    file: `${entitlements}/entitlements.writes.ts`,
    search: 'when current.expires_at > ${now} then current.expires_at + ${seconds}',
    replacement: 'when current.expires_at > ${now} then excluded.expires_at',
    tests: [`${entitlements}/entitlements.test.ts`, 'src/features/client-api/api/register.test.ts'],
  },
  {
    guarantee: 'a grant never shortens what never ends',
    file: `${entitlements}/entitlements.writes.ts`,
    search: 'when current.expires_at is null or excluded.expires_at is null then null',
    replacement: 'when excluded.expires_at is null then null',
    tests: [`${entitlements}/entitlements.test.ts`],
  },
  {
    guarantee: 'a pause costs the user no time',
    file: `${entitlements}/entitlements.rules.ts`,
    search: 'Math.min(paused_at ?? now, now)',
    replacement: 'Math.min(now, paused_at === -1 ? 0 : now)',
    tests: [`${entitlements}/entitlements.rules.test.ts`],
  },
  {
    guarantee: 'a pause that ends while a subscription is in the bin costs the user no time',
    file: `${entitlements}/entitlements.rules.ts`,
    search: 'userClock(user, now) + end - pausedAt',
    replacement: 'end',
    tests: ['src/features/bin/bin-pauses.test.ts', `${users}/user-changes.test.ts`],
  },
  {
    guarantee: 'a file that is started again gets no second subscription for a level',
    file: 'src/features/imports/imports.actions.ts',
    search: 'each.label === label && each.name === name.trim()',
    replacement: 'each.label === label && each.name !== name.trim()',
    tests: ['src/features/imports/import-batches.test.ts'],
  },
  {
    guarantee: 'an import gives a paused user no more time than the file names',
    file: 'src/features/imports/import-users.ts',
    search: 'storedEnd(expiresAt, existing, now)',
    replacement: 'storedEnd(expiresAt, { paused_at: null }, now)',
    tests: ['src/features/imports/import-batches.test.ts'],
  },
  {
    guarantee: 'no time is added to what has ended unless the caller says so',
    file: `${entitlements}/entitlements.rules.ts`,
    search: 'withExpired || (expires_at as number) > clock',
    replacement: 'withExpired || (expires_at as number) > 0',
    tests: [`${entitlements}/entitlements.rules.test.ts`],
  },
  {
    guarantee: 'a subscription that still runs is not given again',
    file: `${entitlements}/entitlements.actions.ts`,
    search:
      "if (entitlement && isRunning(user, entitlement, now)) reject(entitlementsErrors, 'USER_SUBSCRIPTION_TAKEN')",
    replacement: '',
    tests: [`${users}/api/add-user-subscription.test.ts`],
  },
  {
    guarantee: 'the end of a subscription that somebody else has changed is not overwritten',
    file: `${entitlements}/entitlements.actions.ts`,
    search: 'rejectFieldConflict({ before, change: wanted }',
    replacement: 'rejectFieldConflict({ before: undefined, change: wanted }',
    tests: [`${users}/api/update-user-subscription.test.ts`],
  },
  {
    guarantee: 'taking a subscription is heard by running programs (R-CLI-06)',
    file: `${entitlements}/entitlements.actions.ts`,
    search: "reject(entitlementsErrors, 'USER_SUBSCRIPTION_NOT_FOUND')\n  tx.publish(`access:${user.app_id}`)",
    replacement: "reject(entitlementsErrors, 'USER_SUBSCRIPTION_NOT_FOUND')",
    tests: [`${users}/api/remove-user-subscription.test.ts`],
  },
  {
    guarantee: 'usernames are one whatever their case (R-TEN-08)',
    file: `${users}/users.rules.ts`,
    search: "username.normalize('NFC').toLowerCase()",
    replacement: "username.normalize('NFC')",
    tests: [`${users}/api/create-user.test.ts`],
  },
  {
    guarantee: 'the first machine to sign in is the bound one, of parallel ones too (R-CLI-08)',
    file: `${users}/users.writes.ts`,
    search: "    .where((where) => where.or([where('hwid_hash', 'is', null), where('hwid_hash', '=', hwidHash)]))\n",
    replacement: '',
    tests: ['src/features/client-api/api/login.test.ts', 'src/features/client-api/api/license.test.ts'],
  },
  {
    guarantee: 'users of one app are changed under that app alone (R-TEN-03)',
    file: `${users}/users.writes.ts`,
    search: "trx.updateTable('users').set(change).where('app_id', '=', appId).where('id', '=', id)",
    replacement: "trx.updateTable('users').set(change).where('app_id', '=', appId).where('id', '>=', id)",
    tests: [`${users}/api/edit-user.test.ts`],
  },
  {
    guarantee: 'deleted users leave nothing of theirs behind (R-PII-01)',
    file: `${users}/users.actions.ts`,
    search: '  await deleteVariablesOfUsers(tx, appId, ids)\n',
    replacement: '',
    tests: [`${users}/api/delete-user.test.ts`],
  },
  {
    guarantee: 'deleting a user ends the sessions of its programs (R-CLI-06)',
    file: `${users}/users.actions.ts`,
    search: "  await endRejectedSessions(tx, { appId, userIds: ids }, 'SESSION_ENDED', now)\n",
    replacement: '',
    tests: ['src/features/client-api/many-sessions.test.ts'],
  },
  {
    guarantee: 'an ended session does not come back by a late heartbeat',
    file: 'src/features/session-store/session-store.writes.ts',
    search: "    .where('last_heartbeat_at', '<=', row.at),",
    replacement: '    ,',
    tests: ['src/features/client-api/client-api.test.ts', 'src/features/client-api/api/heartbeat.test.ts'],
  },
  {
    guarantee: 'sessions are ended in their own app only (R-TEN-03)',
    file: 'src/features/session-store/session-store.writes.ts',
    search: "    row('app_id', '=', appId),\n    handles || userIds",
    replacement: '    handles || userIds',
    tests: ['src/features/program-sessions/api/delete-program-session.test.ts', 'src/guarantees/authorization.test.ts'],
  },
  {
    guarantee: 'a field that somebody changed meanwhile is not overwritten',
    file: 'src/features/levels/levels.actions.ts',
    search:
      'rejectFieldConflict({ before: form.before, change: form }, { name: current.name, active: current.active === 1 })',
    replacement: '',
    tests: ['src/features/subscriptions/api/update-subscription.test.ts'],
  },
]
