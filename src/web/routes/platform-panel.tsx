import { AuditPanel } from '#features/audit/web/audit-panel.tsx'
import type { PanelSubject } from '../panel/panel-address.ts'
import { SidePanel } from '../panel/side-panel.tsx'

interface PlatformPanelProps {
  subject: PanelSubject
  onClose: () => void
}

/** The panel of the administration: an entry of the audit. */
export const PlatformPanel = ({ subject, onClose }: PlatformPanelProps) => (
  <SidePanel subject={subject} onClose={onClose}>
    <AuditPanel id={subject.id} isPlatform />
  </SidePanel>
)
