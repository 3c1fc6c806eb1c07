import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { scopes } from '../seller-keys.rules.ts'

/** What scopes allow, in words. */

const subjects: Record<string, MessageDescriptor> = {
  licenses: msg`Licenses`,
  users: msg`Users`,
  subscriptions: msg`Subscriptions`,
  variables: msg`Variables of users`,
  stats: msg`Statistics`,
  settings: msg`Settings`,
  'app-variables': msg`Variables`,
  downloads: msg`Downloads`,
  sessions: msg`Sessions`,
  logs: msg`Logs`,
}

const acts: Record<string, MessageDescriptor> = {
  read: msg({ message: 'read', context: 'permission' }),
  write: msg({ message: 'change', context: 'permission' }),
  delete: msg({ message: 'delete', context: 'permission' }),
}

export interface PermissionText {
  /** As in the scope. */
  subject: string
  name: string
  /** Such as "read, change". */
  allowed: string
}

/** What may be done with each subject, in the order of all scopes. */
export function permissionTexts(permissions: readonly string[]): PermissionText[] {
  const bySubject = new Map<string, string[]>()
  for (const scope of scopes.filter((each) => permissions.includes(each))) {
    const [subject = '', act = ''] = scope.split(':')
    bySubject.set(subject, [...(bySubject.get(subject) ?? []), act])
  }
  const text = (texts: Record<string, MessageDescriptor>, name: string) => {
    const known = texts[name]
    return known ? i18n._(known) : name
  }
  return [...bySubject].map(([subject, allowed]) => ({
    subject,
    name: text(subjects, subject),
    allowed: allowed.map((act) => text(acts, act)).join(', '),
  }))
}
