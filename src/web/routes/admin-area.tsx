import type { ReactNode } from 'react'
import { lazyPart } from '../lazy/lazy-part.tsx'
import { usePanel } from '../panel/use-panel.ts'
import { AdminShell } from '../shell/admin-shell.tsx'

const AdminActivity = lazyPart(() => import('#features/audit/web/activity-list.tsx'), 'AdminActivity')

const OwnersFinder = lazyPart(() => import('#features/admin/web/owners-finder.tsx'), 'OwnersFinder', {
  whenIdle: 'first',
})

const PlatformPanel = lazyPart(() => import('./platform-panel.tsx'), 'PlatformPanel')

/** Everything else that a panel shows belongs to an app. */
function Panel() {
  const { subject, open, close } = usePanel()
  if (subject?.kind !== 'audit' && subject?.kind !== 'owner') return null
  return <PlatformPanel subject={subject} onClose={close} onFailed={close} onReopen={() => open(subject)} />
}

/** The pages of administrators, with the parts that features add to each of them. */
export const AdminArea = ({ children }: { children?: ReactNode }) => (
  <AdminShell finder={OwnersFinder} activity={<AdminActivity />} panel={<Panel />}>
    {children}
  </AdminShell>
)
