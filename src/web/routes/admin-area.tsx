import type { ReactNode } from 'react'
import { lazyPart } from '../lazy/lazy-part.tsx'
import { AdminShell } from '../shell/admin-shell.tsx'

const AdminActivity = lazyPart(() => import('#features/audit/web/activity-list.tsx'), 'AdminActivity')

/** The pages of administrators, with the parts that features add to each of them. */
export const AdminArea = ({ children }: { children?: ReactNode }) => (
  <AdminShell activity={<AdminActivity />}>{children}</AdminShell>
)
