/**
 * What the panel shows, in `?panel=`: a kind and what names one of it, as in `license:KEY`, `user:NAME`, `device:HASH`,
 * `address:IP`, `reseller:NAME`, `subscription:LEVEL`, `variable:NAME`; all others have an ID.
 */
export const panelKinds = [
  'license',
  'user',
  'session',
  'device',
  'address',
  'alert',
  'reseller',
  'file',
  'subscription',
  'owner',
  'log',
  'audit',
  'webhook',
  'seller-key',
  'variable',
] as const
export type PanelKind = (typeof panelKinds)[number]

export interface PanelSubject {
  kind: PanelKind
  id: string
}

export const panelText = ({ kind, id }: PanelSubject): string => `${kind}:${id}`

/** Owners belong to the platform: only the administration shows them. */
export const isOfPlatform = (kind: PanelKind): boolean => kind === 'owner'

/** Resellers and the audit belong to the account; everything else belongs to the selected app. */
export const isOfApp = (kind: PanelKind): boolean => kind !== 'reseller' && kind !== 'audit' && !isOfPlatform(kind)

/** Everything that is opened again: not entries of the log and the audit, which are read once, nor the platform's. */
export type ThingKind = Exclude<PanelKind, 'log' | 'audit' | 'owner'>
export type Thing = PanelSubject & { kind: ThingKind }

export const isThing = (subject: PanelSubject): subject is Thing =>
  subject.kind !== 'log' && subject.kind !== 'audit' && !isOfPlatform(subject.kind)

/** Undefined for anything else that an address may contain. */
export function panelSubject(text: string | undefined): PanelSubject | undefined {
  const [, name, id] = /^([a-z-]+):(.+)$/s.exec(text ?? '') ?? []
  const kind = panelKinds.find((known) => known === name)
  return kind === undefined || id === undefined ? undefined : { kind, id }
}
