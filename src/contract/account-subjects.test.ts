import { expect, test } from 'vitest'
import { auditEvents } from './audit-events.ts'
import { accountSubjectsOf } from './account-subjects.ts'

test('credits that come back change the resellers, also when it is undone', () => {
  for (const act of [
    'license.delete',
    'license.delete-unused',
    'license.bulk-delete.undo',
    'subscription.delete',
    'bin.restore',
  ] as const)
    expect(accountSubjectsOf(act, false), act).toEqual(['resellers'])
  expect(accountSubjectsOf('license.create', true)).toEqual(['resellers'])
  for (const act of ['license.create', 'license.ban', 'user.delete'] as const)
    expect(accountSubjectsOf(act, false), act).toEqual([])
})

test('what an owner sees of resellers and apps changes with each of their events', () => {
  const changing = auditEvents.filter((act) => accountSubjectsOf(act, false).length > 0)
  expect(changing).toEqual(expect.arrayContaining(['app.create', 'app.update', 'app.delete', 'reseller.set-credits']))
  for (const act of [
    'reseller.login',
    'reseller.logout',
    'reseller.login-failed',
    'app.export',
    'account.login',
  ] as const)
    expect(changing, act).not.toContain(act)
})
