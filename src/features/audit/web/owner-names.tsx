import { PanelLink, quietName } from '#web/panel/panel-link.tsx'
import type { PanelSubject } from '#web/panel/panel-address.ts'
import type { AuditEntry } from './audit-data.ts'

/** Names in the administration's audit that open the panel of an account. */

const ownerSubject = (id: string): PanelSubject => ({ kind: 'owner', id })

/** The target of an act on an owner is its name, as long as it exists. */
export const ownerTarget = ({ act, target, owner }: AuditEntry): PanelSubject | undefined =>
  act.startsWith('owner.') && act !== 'owner.delete' && target !== '' && owner.name !== ''
    ? ownerSubject(owner.id)
    : undefined

export const ownerActor = ({ actor: { type, id, name } }: AuditEntry): PanelSubject | undefined =>
  (type === 'owner' || type === 'admin') && name !== '' ? ownerSubject(id) : undefined

export const OwnerLink = ({ id, name }: { id: string; name: string }) => (
  <PanelLink {...ownerSubject(id)} title={id} className={quietName}>
    {name}
  </PanelLink>
)
