/**
 * What the panel shows: `license:KEY`, `user:NAME`, `session:ID`, `device:HASH`, `address:IP`, or `reseller:NAME` in
 * `?panel=`.
 */
export const panelKinds = ['license', 'user', 'session', 'device', 'address', 'reseller'] as const
export type PanelKind = (typeof panelKinds)[number]

export interface PanelSubject {
  kind: PanelKind
  id: string
}

export const panelText = ({ kind, id }: PanelSubject): string => `${kind}:${id}`

/** Resellers belong to the account; everything else belongs to the selected app. */
export const isOfApp = (kind: PanelKind): boolean => kind !== 'reseller'

/** Undefined for anything else that an address may contain. */
export function panelSubject(text: string | undefined): PanelSubject | undefined {
  const [, name, id] = /^([a-z]+):(.+)$/s.exec(text ?? '') ?? []
  const kind = panelKinds.find((known) => known === name)
  return kind === undefined || id === undefined ? undefined : { kind, id }
}
