import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { ResellerShell } from '#features/reseller-api/web/reseller-shell.tsx'
import { sessionQuery } from '../session/session.ts'
import { AdminArea } from './admin-area.tsx'
import { NotFoundPage } from '../shell/not-found-page.tsx'
import { OwnerArea } from './owner-area.tsx'

/** Says that an address has no page, within the area of the account; visitors see it without an area. */
export function MissingPage() {
  const { data: account } = useQuery(sessionQuery)
  const isAdminArea = useRouterState({ select: ({ location }) => location.pathname.startsWith('/admin/') })
  const notFound = <NotFoundPage />
  if (!account) return notFound
  if (account.role === 'reseller') return <ResellerShell>{notFound}</ResellerShell>
  if (account.role === 'admin' && isAdminArea) return <AdminArea>{notFound}</AdminArea>
  return <OwnerArea>{notFound}</OwnerArea>
}
