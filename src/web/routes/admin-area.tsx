import type { ReactNode } from 'react'
import { lazyPart } from '../lazy/lazy-part.tsx'
import { AdminShell } from '../shell/admin-shell.tsx'

const AdminActivity = lazyPart(() => import('#features/audit/web/activity-list.tsx'), 'AdminActivity')

const OwnersFinder = lazyPart(() => import('#features/admin/web/owners-finder.tsx'), 'OwnersFinder')

/** The pages of administrators, with the parts that features add to each of them. */
export const AdminArea = ({ children }: { children?: ReactNode }) => (
  <AdminShell finder={OwnersFinder} activity={<AdminActivity />}>
    {children}
  </AdminShell>
)
