import { t } from '@lingui/core/macro'
import { useNavigate } from '@tanstack/react-router'
import { ArchiveRestore } from 'lucide-react'
import type { BinKind } from '#contract/bin.ts'
import { paths } from '../navigation/paths.ts'
import type { MenuEntry } from '../ui/menu-entry.ts'

/** Menu entry of a list's page: what was deleted from it. */
export function useDeletedEntry(kind: BinKind): () => MenuEntry {
  const navigate = useNavigate()
  return () => ({
    label: t`Show deleted`,
    icon: <ArchiveRestore />,
    onSelect: () => void navigate({ to: paths.deleted(), search: { 'f.kind': kind } }),
  })
}
