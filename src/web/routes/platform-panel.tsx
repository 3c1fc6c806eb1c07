import { OwnerPanel } from '#features/admin/web/owner-panel.tsx'
import { AuditPanel } from '#features/audit/web/audit-panel.tsx'
import type { PanelSubject } from '../panel/panel-address.ts'
import { SidePanel } from '../panel/side-panel.tsx'

interface PlatformPanelProps {
  subject: PanelSubject
  onClose: () => void
}

/** The panel of the administration: an owner, or an entry of the audit. */
export const PlatformPanel = ({ subject, onClose }: PlatformPanelProps) => (
  <SidePanel subject={subject} onClose={onClose}>
    {subject.kind === 'owner' ? <OwnerPanel ownerId={subject.id} /> : <AuditPanel id={subject.id} isPlatform />}
  </SidePanel>
)
