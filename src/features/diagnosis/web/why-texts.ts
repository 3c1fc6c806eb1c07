import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { AuditEvent } from '#contract/audit-events.ts'
import { eventText as auditEventText } from '#features/audit/web/event-texts.ts'
import { paths } from '#web/navigation/paths.ts'
import { panelText } from '#web/panel/panel-address.ts'
import type { PastEvent, Decision } from './why-data.ts'

/** Texts of actions on a license, user, level or the app, for the timeline. */
const events: Readonly<Partial<Record<AuditEvent, MessageDescriptor>>> = {
  'license.create': msg`License created`,
  'license.update': msg`License edited`,
  'license.ban': msg`License banned`,
  'license.unban': msg`License unbanned`,
  'license.delete': msg`License deleted`,
  'license.add-time': msg`Time added`,
  'user.create': msg`User created`,
  'user.edit': msg`User edited`,
  'user.ban': msg`User banned`,
  'user.unban': msg`User unbanned`,
  'user.pause': msg`User paused`,
  'user.unpause': msg`User resumed`,
  'user.reset-hwid': msg`HWID reset`,
  'user.change-password': msg`Password changed`,
  'user.request-reset': msg`New password requested`,
  'user.reset-password': msg`Password reset with an emailed link`,
  'user.login-failed': msg`Failed sign-in`,
  'user.extend': msg`Time added`,
  'user.subtract': msg`Time subtracted`,
  'user.add-subscription': msg`Level added`,
  'user.update-subscription': msg`Level changed`,
  'user.remove-subscription': msg`Level removed`,
  'user.upgrade': msg`Another license redeemed`,
  'user.delete': msg`User deleted`,
  'user.create-variable': msg`Variable created`,
  'user.update-variable': msg`Variable changed`,
  'user.delete-variable': msg`Variable deleted`,
  'subscription.create': msg`Level created`,
  'subscription.update': msg`Level changed`,
  'subscription.pause': msg`Level paused`,
  'subscription.activate': msg`Level activated`,
  'session.delete': msg`Session ended`,
  'app.update': msg`App settings saved`,
}

/** Bulk actions and other events without a text here use the texts of the audit log. */
export function eventText(act: string): string {
  const text = Object.hasOwn(events, act) ? events[act as AuditEvent] : undefined
  return text ? i18n._(text) : auditEventText(act)
}

/** The actor; empty if nobody acted. */
export function actorText({ actorType, actorName }: Pick<PastEvent, 'actorType' | 'actorName'>): string {
  const name = actorName
  if (actorType === 'user') return t`by the user`
  if (actorType === 'admin') return name === '' ? t`by an administrator` : t`by ${name}`
  if (actorType === 'reseller') return name === '' ? t`by a reseller` : t`by the reseller ${name}`
  if (actorType === 'seller-key') return name === '' ? t`by a seller key` : t`by the seller key ${name}`
  return name === '' ? '' : t`by ${name}`
}

interface FixLink {
  label: string
  to: string
  search: Record<string, string>
  /** The user whose panel is opened. */
  user?: string
}

const atDialog = (to: string, dialog: string, row: string): Omit<FixLink, 'label'> => ({
  to,
  search: row === '' ? {} : { dialog, row },
})

const panelSearch = (license: string): Record<string, string> =>
  license === '' ? {} : { panel: panelText({ kind: 'license', id: license }) }

/** Link to the place where the owner can fix it; undefined if only the program or its user can. */
export function fixLink({ fix, target }: Decision, code: string): FixLink | undefined {
  switch (fix) {
    case 'license':
      if (code === 'LICENSE_NOT_FOUND' && target === '') {
        return { label: t`Create licenses`, to: paths.licenses(), search: { dialog: 'create' } }
      }
      return { label: t`Open the license`, to: paths.licenses(), search: panelSearch(target) }
    case 'user':
      return { label: t`Open the user`, to: paths.users(), search: target === '' ? {} : { q: target }, user: target }
    case 'hwid':
      return { label: t`Reset HWID`, ...atDialog(paths.users(), 'reset-hwid', target) }
    case 'level':
      return { label: t`Open Subscriptions`, to: paths.subscriptions(), search: {} }
    case 'settings':
      return { label: t`Open Settings`, to: paths.settings(), search: {} }
    case 'plan':
      return { label: t`See your plan`, to: paths.profile(), search: {} }
    default:
      return undefined
  }
}
