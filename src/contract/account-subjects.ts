import type { AuditEvent, RecordedEvent } from './audit-events.ts'
import type { AccountSubject } from './live.ts'

/** Actions of resellers on their own session and password, which the owner's list doesn't show. */
const ofSessions: ReadonlySet<string> = new Set([
  'reseller.login',
  'reseller.login-failed',
  'reseller.reauthenticate',
  'reseller.proof-failed',
  'reseller.logout',
  'reseller.end-session',
  'reseller.end-other-sessions',
  'reseller.change-password',
  'reseller.two-factor-start',
  'reseller.recovery-codes',
  'reseller.request-reset',
  'reseller.create-reset-link',
  'reseller.reset-password',
] satisfies AuditEvent[])

/** Deleting licenses refunds credits to resellers, and undoing that charges them again. */
const settlesCredits: ReadonlySet<string> = new Set([
  'license.delete',
  'license.bulk-delete',
  'license.delete-all',
  'license.delete-used',
  'license.delete-unused',
  'subscription.delete',
  'bin.restore',
] satisfies AuditEvent[])

/** The lists of the owner's account, beside those of an app, that an event changes. */
export function accountSubjectsOf(event: RecordedEvent, byReseller: boolean): readonly AccountSubject[] {
  const done = event.replace(/\.undo$/, '')
  // Resellers are listed with the names of their apps.
  if (done.startsWith('app.')) return done === 'app.export' ? [] : ['resellers', 'apps']
  if (done.startsWith('reseller.')) return ofSessions.has(done) ? [] : ['resellers']
  const isSale = byReseller && done.startsWith('license.')
  return isSale || settlesCredits.has(done) ? ['resellers'] : []
}
