import { i18n, type MessageDescriptor } from '@lingui/core'
import { msg, t } from '@lingui/core/macro'
import type { ActorType } from '#contract/audit-events.ts'
import type { AuditEntry } from './audit-data.ts'

export const actorTexts: Record<ActorType, MessageDescriptor> = {
  owner: msg`Owner`,
  admin: msg`An administrator`,
  reseller: msg`Reseller`,
  'seller-key': msg`Seller key`,
  user: msg`A user of the program`,
  anyone: msg`Unknown`,
  system: msg`The server`,
}

/** Name of the actor, and below it the kind of actor if the name does not imply it. */
export function actorName({ type, id, name, isYou }: AuditEntry['actor']): { name: string; kind: string } {
  const text = (actorTexts as Record<string, MessageDescriptor | undefined>)[type]
  const kind = text ? i18n._(text) : type
  if (isYou) return { name: t`You`, kind: '' }
  if (name !== '') return { name, kind }
  // A deleted seller key or reseller is still identified by its ID.
  return id === '' || type === 'user' ? { name: kind, kind: '' } : { name: id, kind }
}
