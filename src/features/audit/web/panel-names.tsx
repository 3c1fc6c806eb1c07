import { useStore } from '#web/browser/store.ts'
import { selectedAppStore } from '#web/api/app-selection.ts'
import { type PanelKind, type PanelSubject, isOfApp } from '#web/panel/panel-address.ts'
import type { AuditEntry } from './audit-data.ts'
import { countedTargetText } from './target-text.ts'

/** What names in the audit open in the panel. */

type Named = Pick<AuditEntry, 'target' | 'details'>

/** What the panel calls it; the target by default. Names that something else may have now lead nowhere. */
type PanelId = (entry: Named) => string | undefined

/** Another file may have its name now. */
const fileId: PanelId = ({ details: { downloadId } }) => (typeof downloadId === 'string' ? downloadId : undefined)

/** A rotation changes what stands after it. */
const sellerKeyId: PanelId = ({ target }) => target.split('…')[0]

const kindsBySubject: readonly [subject: string, kind: PanelKind, idOf?: PanelId][] = [
  ['license.', 'license'],
  ['user.', 'user'],
  ['session.', 'session'],
  ['reseller.', 'reseller'],
  ['alert.', 'alert'],
  ['webhook.', 'webhook'],
  ['download.', 'file', fileId],
  ['seller-key.', 'seller-key', sellerKeyId],
]

/** Their target is a type of alerts, the app, or a listener of a seller key. */
const withoutPanel = ['alert.threshold', 'webhook.chat-events', 'webhook.listen', 'webhook.end-listening']

const isNameOfOne = (target: string) =>
  target !== '' && countedTargetText(target) === undefined && !/^\d+ \w/.test(target)

/** Undefined for what has no panel, is gone, or belongs to another app than the selected one. */
export function targetSubject(entry: AuditEntry, appId: string | undefined): PanelSubject | undefined {
  const { act, target, app } = entry
  const [, kind, idOf = () => target] = kindsBySubject.find(([subject]) => act.startsWith(subject)) ?? []
  const isGone = /delete/.test(act) && !act.endsWith('.undo')
  if (kind === undefined || isGone || withoutPanel.includes(act) || !isNameOfOne(target)) return undefined
  const id = idOf(entry)
  return id === undefined || (isOfApp(kind) && (app === null || app.id !== appId)) ? undefined : { kind, id }
}

/** Resellers of the account, and users of the selected app. */
export function actorSubject({ actor, app }: AuditEntry, appId: string | undefined): PanelSubject | undefined {
  const { type, name, isYou } = actor
  if (name === '' || isYou) return undefined
  if (type === 'reseller') return { kind: 'reseller', id: name }
  return type === 'user' && app !== null && app.id === appId ? { kind: 'user', id: name } : undefined
}

/** What programs of the selected app did from there; also of entries of the account, such as failed sign-ins. */
export function addressSubject({ ip, app }: AuditEntry, appId: string | undefined): PanelSubject | undefined {
  if (ip === '' || appId === undefined) return undefined
  return app === null || app.id === appId ? { kind: 'address', id: ip } : undefined
}

export const useSelectedAppId = (): string | undefined => useStore(selectedAppStore)?.appId
